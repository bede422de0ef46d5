//! A few browsers under one driver, handed out one page at a time; dead ones are replaced.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, watch};

use super::BrowserOptions;
use super::driver::DriverProcess;
use super::grid::{Grid, Offer};
use super::session::Session;
use crate::acquire::page::{Area, Browser, LookOptions, Navigation, PageSource, Traffic, VisitError};
use crate::capture::Capture;
use crate::error::Result;

/// How long a busy Grid is waited for in place of a lost browser, while there are others.
const REPLACEMENT: Duration = Duration::from_secs(3);
/// How often somebody who waits for a browser asks whether the Grid has one more by now.
const GROWTH: Duration = Duration::from_secs(3);

/// A pool of browsers. [`Pool::close`] ends them in order; dropping the pool and all leases kills them.
#[derive(Debug, Clone)]
pub struct Pool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    options: BrowserOptions,
    permits: Arc<Semaphore>,
    /// Sessions that nobody uses. Declared before the driver, so that they are dropped first.
    idle: Mutex<Vec<Seat>>,
    driver: Mutex<Driver>,
    /// Where the browsers come from, if they are not our own.
    grid: Option<Grid>,
    /// New browsers since the last good visit, the first `size` not counted.
    restarts: AtomicU32,
    /// All new browsers, the first `size` not counted.
    replaced: AtomicU32,
    closed: watch::Sender<bool>,
    /// Browsers that there are to be; fewer once a Grid has lost a node and gives none instead, more once it has some
    /// again.
    size: AtomicUsize,
    /// Browsers that were asked for.
    wanted: usize,
    /// Held while the Grid is asked for one browser more.
    growing: Arc<Mutex<()>>,
}

#[derive(Debug)]
struct Driver {
    process: Option<DriverProcess>,
    generation: u32,
}

/// A session and the driver it belongs to.
#[derive(Debug)]
struct Seat {
    session: Session,
    generation: u32,
}

impl Pool {
    /// Starts a driver and `size` browsers, or takes as many from the Grid as that has free.
    ///
    /// # Errors
    /// When the programs are missing or do not fit, or a browser does not start; when the Grid does not answer,
    /// has no Chromium or is busy.
    pub async fn start(size: usize, options: BrowserOptions) -> Result<Self> {
        let size = size.max(1);
        if let Some(url) = &options.webdriver {
            let grid = Grid::new(url)?;
            return Self::of_grid(grid, size, options).await;
        }
        let process = DriverProcess::start(&options).await?;
        let starts = (0..size).map(|_| Session::start(&process, &options));
        let mut seats = Vec::with_capacity(size);
        for session in futures::future::join_all(starts).await {
            seats.push(Seat { session: session?, generation: 0 });
        }
        Ok(Self::with(seats, size, Some(process), None, options))
    }

    async fn of_grid(grid: Grid, size: usize, options: BrowserOptions) -> Result<Self> {
        let free = grid.free(size, options.start).await?;
        if free < size {
            tracing::info!(
                "the Grid at {} has {free} of the {size} browsers that were asked for",
                grid.url()
            );
        }
        let starts = (0..free).map(|_| Session::given(&grid, &options, options.start));
        let mut seats = Vec::with_capacity(free);
        let mut failure = None;
        for session in futures::future::join_all(starts).await {
            match session {
                Ok(session) => seats.push(Seat { session, generation: 0 }),
                Err(error) => failure = Some(error),
            }
        }
        // others may have been quicker; what there is will do
        match failure {
            Some(error) if seats.is_empty() => Err(error.into()),
            _ => Ok(Self::with(seats, size, None, Some(grid), options)),
        }
    }

    fn with(
        seats: Vec<Seat>,
        wanted: usize,
        process: Option<DriverProcess>,
        grid: Option<Grid>,
        options: BrowserOptions,
    ) -> Self {
        let inner = Inner {
            options,
            size: AtomicUsize::new(seats.len()),
            wanted,
            growing: Arc::default(),
            permits: Arc::new(Semaphore::new(seats.len())),
            idle: Mutex::new(seats),
            driver: Mutex::new(Driver { process, generation: 0 }),
            grid,
            restarts: AtomicU32::new(0),
            replaced: AtomicU32::new(0),
            closed: watch::Sender::new(false),
        };
        Self { inner: Arc::new(inner) }
    }

    /// A browser to work with, as soon as one is free.
    ///
    /// # Errors
    /// When the pool is closed, or no browser can be started any more.
    pub async fn checkout(&self) -> Result<Lease, VisitError> {
        let closed = || VisitError::SessionLost("the pool was closed".into());
        loop {
            let permit = self.inner.permit().await.ok_or_else(closed)?;
            let seat = self.inner.idle.lock().await.pop();
            let mut lease = Lease {
                seat,
                inner: self.inner.clone(),
                last: String::new(),
                left: Traffic::default(),
                permit: Some(permit),
            };
            match lease.seat().await {
                Ok(_) => return Ok(lease),
                Err(error) if error.is_transient() && self.inner.shrink() => {
                    tracing::warn!(
                        "the Grid gives no browser in place of a lost one, going on with fewer: {error}"
                    );
                    if let Some(permit) = lease.permit.take() {
                        permit.forget();
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Ends every browser, those handed out included, and the driver; removes all profiles.
    pub async fn close(&self) {
        self.inner.closed.send_replace(true);
        self.inner.permits.close();
        // one that is being taken is given back with the others
        let _grown = self.inner.growing.lock().await;
        let idle = std::mem::take(&mut *self.inner.idle.lock().await);
        futures::future::join_all(idle.into_iter().map(|seat| seat.session.close())).await;
        if let Some(grid) = &self.inner.grid {
            grid.release_all().await;
        }
        let process = self.inner.driver.lock().await.process.take();
        drop_blocking(process).await;
    }

    /// The driver's process id, while there is one.
    pub async fn driver_pid(&self) -> Option<u32> {
        self.inner.driver.lock().await.process.as_ref().map(DriverProcess::pid)
    }
}

impl Browser for Pool {
    type Page = Lease;

    async fn page(&self) -> Result<Lease, VisitError> {
        self.checkout().await
    }

    fn restarts(&self) -> u32 {
        self.inner.replaced.load(Ordering::Acquire)
    }
}

impl Inner {
    /// A new session, under a new driver where the old one is dead.
    async fn replace(&self, last: &str) -> Result<Seat, VisitError> {
        let restarts = self.restarts.fetch_add(1, Ordering::AcqRel) + 1;
        if restarts > self.options.max_restarts {
            return Err(VisitError::GaveUp { restarts: restarts - 1, last: last.to_owned() });
        }
        if let Some(grid) = &self.grid {
            // a browser that is left does the work sooner than a busy Grid gives another one
            let alone = self.size.load(Ordering::Acquire) <= 1;
            let patience = if alone { self.options.start } else { self.options.start.min(REPLACEMENT) };
            let session = Session::given(grid, &self.options, patience).await?;
            self.replaced.fetch_add(1, Ordering::AcqRel);
            return Ok(Seat { session, generation: 0 });
        }
        let mut driver = self.driver.lock().await;
        if *self.closed.borrow() {
            return Err(VisitError::SessionLost("the pool was closed".into()));
        }
        if !driver.process.as_mut().is_some_and(DriverProcess::is_alive) {
            drop_blocking(driver.process.take()).await;
            let fresh = DriverProcess::start(&self.options).await;
            driver.process = Some(fresh.map_err(|error| VisitError::DriverLost(error.to_string()))?);
            driver.generation += 1;
        }
        let Some(process) = &driver.process else {
            return Err(VisitError::DriverLost("it did not start".into()));
        };
        // a start may take long, and who closes the pool waits for the driver
        let mut closed = self.closed.subscribe();
        let started = tokio::select! {
            started = Session::start(process, &self.options) => started,
            _ = closed.wait_for(|closed| *closed) => {
                return Err(VisitError::SessionLost("the pool was closed".into()));
            }
        };
        if started
            .as_ref()
            .is_err_and(|error| error.needs_new_driver() || matches!(error, VisitError::Stuck(_)))
        {
            // It runs but does not answer; the next attempt starts another.
            drop_blocking(driver.process.take()).await;
        }
        let session = started?;
        self.replaced.fetch_add(1, Ordering::AcqRel);
        Ok(Seat { session, generation: driver.generation })
    }

    /// Leave to use a browser, as soon as one is free or the Grid gives one more; none once the pool is closed.
    async fn permit(self: &Arc<Self>) -> Option<OwnedSemaphorePermit> {
        let permit = self.permits.clone().acquire_owned();
        tokio::pin!(permit);
        loop {
            tokio::select! {
                biased;
                permit = &mut permit => return permit.ok(),
                () = tokio::time::sleep(GROWTH) => self.grow(),
            }
        }
    }

    /// Takes one browser more from the Grid where there are fewer than were asked for, meanwhile: who waits may get
    /// one that becomes free sooner.
    fn grow(self: &Arc<Self>) {
        if self.grid.is_none() || self.size.load(Ordering::Acquire) >= self.wanted {
            return;
        }
        let Ok(growing) = self.growing.clone().try_lock_owned() else { return };
        let inner = Arc::clone(self);
        tokio::spawn(async move {
            inner.take_one_more().await;
            drop(growing);
        });
    }

    async fn take_one_more(&self) {
        let Some(grid) = &self.grid else { return };
        if !matches!(grid.offer().await, Ok(Offer::Slots { free: 1.., .. })) {
            return;
        }
        match Session::given(grid, &self.options, REPLACEMENT).await {
            Ok(session) if *self.closed.borrow() => session.close().await,
            Ok(session) => {
                self.idle.lock().await.push(Seat { session, generation: 0 });
                self.size.fetch_add(1, Ordering::AcqRel);
                self.permits.add_permits(1);
            }
            Err(error) => tracing::debug!("the Grid says that a browser is free, and gives none: {error}"),
        }
    }

    /// Whether to go on with one browser less: those of a Grid may not come back, and others are left.
    fn shrink(&self) -> bool {
        let fewer = |size: usize| (size > 1).then(|| size - 1);
        self.grid.is_some() && self.size.fetch_update(Ordering::AcqRel, Ordering::Acquire, fewer).is_ok()
    }

    /// Ends a driver that does not answer, unless another lease has replaced it already.
    async fn condemn(&self, generation: u32) {
        let mut driver = self.driver.lock().await;
        if driver.generation == generation {
            drop_blocking(driver.process.take()).await;
        }
    }
}

/// Killing waits for processes to be gone, which must not hold up other tasks.
async fn drop_blocking<T: Send + 'static>(value: T) {
    let _ = tokio::task::spawn_blocking(move || drop(value)).await;
}

/// A browser that is handed out. It goes back to the pool when dropped. A failure that ends the browser
/// is answered by a new one at the next [`PageSource::open`].
#[derive(Debug)]
pub struct Lease {
    seat: Option<Seat>,
    inner: Arc<Inner>,
    /// The last failure in words.
    last: String,
    /// What was asked through a browser that is gone.
    left: Traffic,
    permit: Option<OwnedSemaphorePermit>,
}

impl Lease {
    /// The session in hand, while it is usable.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.seat.as_ref().map(|seat| &seat.session).filter(|session| session.is_usable())
    }

    async fn seat(&mut self) -> Result<&mut Session, VisitError> {
        if *self.inner.closed.borrow() {
            return Err(VisitError::SessionLost("the pool was closed".into()));
        }
        let current = self.inner.driver.lock().await.generation;
        let usable = self.seat.take_if(|seat| !seat.session.is_usable() || seat.generation != current);
        drop_blocking(usable).await;
        if self.seat.is_none() {
            match self.inner.replace(&self.last).await {
                Ok(seat) => self.seat = Some(seat),
                Err(error) => {
                    self.last = error.to_string();
                    return Err(error);
                }
            }
        }
        match &mut self.seat {
            Some(seat) => Ok(&mut seat.session),
            None => Err(VisitError::SessionLost("no browser".into())),
        }
    }

    /// Draws the consequences of a failure.
    async fn take_stock<T>(&mut self, result: Result<T, VisitError>) -> Result<T, VisitError> {
        if let Err(error) = &result {
            self.last = error.to_string();
            if error.needs_new_session() {
                // what it knows goes with its profile
                self.left = self.traffic();
            }
            if error.needs_new_driver() {
                let generation = self.seat.as_ref().map(|seat| seat.generation);
                if let Some(generation) = generation {
                    self.inner.condemn(generation).await;
                }
            }
            if error.needs_new_session() {
                drop_blocking(self.seat.take()).await;
            }
        }
        result
    }
}

impl PageSource for Lease {
    async fn open(&mut self, url: &str) -> Result<Navigation, VisitError> {
        self.left = Traffic::default();
        let result = self.seat().await?.visit(url).await;
        if result.is_ok() {
            self.inner.restarts.store(0, Ordering::Release);
        }
        self.take_stock(result).await
    }

    async fn look(&mut self, options: &LookOptions) -> Result<Capture, VisitError> {
        let Some(seat) = &mut self.seat else { return Err(VisitError::NothingOpen) };
        let result = seat.session.capture(options).await;
        self.take_stock(result).await
    }

    async fn screenshot(&mut self, area: Area) -> Result<Vec<u8>, VisitError> {
        let Some(seat) = &mut self.seat else { return Err(VisitError::NothingOpen) };
        let result = seat.session.screenshot(area).await;
        self.take_stock(result).await
    }

    fn is_fresh(&self) -> bool {
        self.session().is_none_or(PageSource::is_fresh)
    }

    fn traffic(&mut self) -> Traffic {
        self.seat.as_mut().map_or_else(|| self.left.clone(), |seat| seat.session.traffic())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(seat) = self.seat.take() else { return };
        if !seat.session.is_usable() || *self.inner.closed.borrow() {
            return;
        }
        // The lock is held for a push or a pop only. Should it be taken this very moment, the browser is
        // ended instead and the next lease starts another.
        if let Ok(mut idle) = self.inner.idle.try_lock() {
            idle.push(seat);
        }
    }
}
