//! A pool of browsers that are handed out one page at a time. Dead browsers are replaced.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::BrowserOptions;
use super::driver::DriverProcess;
use super::grid::{Grid, Offer};
use super::session::Session;
use crate::capture::Capture;
use crate::error::Result;
use crate::page::{Browser, Navigation, PageSource, ScreenshotArea, SnapshotOptions, Traffic, VisitError};

/// How long to wait for a busy Grid to replace a lost browser while others are left.
const REPLACEMENT: Duration = Duration::from_secs(3);
/// How often a waiting caller checks whether the Grid has another free browser.
const GROWTH: Duration = Duration::from_secs(3);

/// A pool of browsers. [`Pool::close`] shuts them down in order; dropping the pool and all leases kills them.
#[derive(Debug, Clone)]
pub struct Pool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    options: BrowserOptions,
    /// The Grid that provides the browsers. `None` for local browsers.
    grid: Option<Grid>,
    permits: Arc<Semaphore>,
    /// Unused sessions.
    idle: Mutex<Vec<Session>>,
    /// Drivers of all local browsers, including leased and starting ones.
    drivers: Mutex<Vec<Weak<DriverProcess>>>,
    /// Replacement browsers since the last successful visit.
    restarts: AtomicU32,
    /// All replacement browsers.
    replaced: AtomicU32,
    closed: AtomicBool,
    /// Target number of browsers. It shrinks when a Grid loses a node, and grows when the Grid has free slots again.
    size: AtomicUsize,
    /// The number of browsers requested at start.
    wanted: usize,
    /// Held while another browser is requested from the Grid.
    growing: Arc<tokio::sync::Mutex<()>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn was_closed() -> VisitError {
    VisitError::SessionLost("the pool was closed".into())
}

impl Pool {
    /// Starts `size` browsers, or takes as many from the Grid as it has free.
    ///
    /// # Errors
    /// Programs are missing or do not match, or a browser does not start; or the Grid does not answer, has no Chromium
    /// or is busy.
    pub async fn start(size: usize, options: BrowserOptions) -> Result<Self> {
        let wanted = size.max(1);
        let grid = options.webdriver.as_ref().map(Grid::new).transpose()?;
        let free = match &grid {
            Some(grid) => grid.free(wanted, options.start).await?,
            None => wanted,
        };
        if free < wanted {
            tracing::info!("the Grid has only {free} of the {wanted} requested browsers");
        }
        let inner = Inner {
            grid,
            permits: Arc::new(Semaphore::new(0)),
            idle: Mutex::default(),
            drivers: Mutex::default(),
            restarts: AtomicU32::new(0),
            replaced: AtomicU32::new(0),
            closed: AtomicBool::new(false),
            size: AtomicUsize::new(0),
            wanted,
            growing: Arc::default(),
            options,
        };
        let pool = Self { inner: Arc::new(inner) };
        let starts = (0..free).map(|_| pool.inner.start_browser(pool.inner.options.start));
        let mut failure = None;
        for started in futures::future::join_all(starts).await {
            match started? {
                Ok(session) => pool.inner.add(session),
                Err(error) => failure = Some(error.into()),
            }
        }
        // Other clients may have taken Grid slots first. Any browser is enough.
        let is_enough = pool.inner.grid.is_some() && pool.inner.size.load(Ordering::Acquire) > 0;
        match failure {
            Some(error) if !is_enough => Err(error),
            _ => Ok(pool),
        }
    }

    /// Leases a browser as soon as one is free.
    ///
    /// # Errors
    /// The pool is closed, or no browser can be started any more.
    pub async fn checkout(&self) -> Result<Lease, VisitError> {
        loop {
            let permit = self.inner.permit().await.ok_or_else(was_closed)?;
            let mut lease = Lease {
                session: lock(&self.inner.idle).pop(),
                inner: self.inner.clone(),
                last: String::new(),
                left: Traffic::default(),
                permit: Some(permit),
            };
            match lease.usable().await {
                Ok(_) => return Ok(lease),
                Err(error) if error.is_transient() && self.inner.shrink() => {
                    tracing::warn!(
                        "the Grid does not replace a lost browser; continuing with fewer: {error}"
                    );
                    if let Some(permit) = lease.permit.take() {
                        permit.forget();
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Shuts down every browser, including leased and starting ones, and removes all profiles.
    pub async fn close(&self) {
        self.inner.closed.store(true, Ordering::Release);
        self.inner.permits.close();
        // A session that is being taken from the Grid is returned with the others.
        let _grown = self.inner.growing.lock().await;
        let idle = std::mem::take(&mut *lock(&self.inner.idle));
        futures::future::join_all(idle.into_iter().map(Session::close)).await;
        if let Some(grid) = &self.inner.grid {
            grid.release_all().await;
        }
        let drivers = self.inner.running();
        let _ = tokio::task::spawn_blocking(move || drivers.iter().for_each(|driver| driver.kill())).await;
    }

    /// The process ids of the local browsers' drivers.
    #[must_use]
    pub fn driver_pids(&self) -> Vec<u32> {
        self.inner.running().iter().map(|driver| driver.pid()).collect()
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
    /// Starts a local browser, or takes one from the Grid, which may stay busy for up to `patience`.
    ///
    /// # Errors
    /// The outer error means that the driver does not start, the inner one that the browser does not.
    async fn start_browser(&self, patience: Duration) -> Result<Result<Session, VisitError>> {
        if let Some(grid) = &self.grid {
            return Ok(Session::of_grid(grid, &self.options, patience).await);
        }
        let driver = Arc::new(DriverProcess::start(&self.options).await?);
        {
            // If the pool is closed from now on, it finds and kills this driver, and the start fails.
            let mut drivers = lock(&self.drivers);
            drivers.retain(|one| one.strong_count() > 0);
            drivers.push(Arc::downgrade(&driver));
        }
        if self.closed.load(Ordering::Acquire) {
            return Ok(Err(was_closed()));
        }
        Ok(Session::of_driver(driver, &self.options).await)
    }

    fn running(&self) -> Vec<Arc<DriverProcess>> {
        lock(&self.drivers).iter().filter_map(Weak::upgrade).filter(|driver| driver.is_running()).collect()
    }

    fn add(&self, session: Session) {
        lock(&self.idle).push(session);
        self.size.fetch_add(1, Ordering::AcqRel);
        self.permits.add_permits(1);
    }

    /// Starts a browser to replace a lost one.
    async fn replace(&self, last: &str) -> Result<Session, VisitError> {
        let restarts = self.restarts.fetch_add(1, Ordering::AcqRel) + 1;
        if restarts > self.options.max_restarts {
            return Err(VisitError::GaveUp { restarts: restarts - 1, last: last.to_owned() });
        }
        // With other browsers left, waiting long for a busy Grid only delays the work.
        let alone = self.size.load(Ordering::Acquire) <= 1;
        let patience = if alone { self.options.start } else { self.options.start.min(REPLACEMENT) };
        let started = self.start_browser(patience).await;
        let session = started.map_err(|error| VisitError::DriverLost(error.to_string()))??;
        self.replaced.fetch_add(1, Ordering::AcqRel);
        Ok(session)
    }

    /// Waits for a free browser, and meanwhile asks the Grid for more. `None` once the pool is closed.
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

    /// Takes another browser from the Grid in the background, if the pool has fewer than requested. A waiting caller
    /// may get a freed browser first.
    fn grow(self: &Arc<Self>) {
        if self.size.load(Ordering::Acquire) >= self.wanted {
            return;
        }
        let (Some(grid), Ok(growing)) = (self.grid.clone(), self.growing.clone().try_lock_owned()) else {
            return;
        };
        let inner = Arc::clone(self);
        tokio::spawn(async move {
            let _growing = growing;
            if !matches!(grid.offer().await, Ok(Offer::Slots { free: 1.., .. })) {
                return;
            }
            match Session::of_grid(&grid, &inner.options, REPLACEMENT).await {
                Ok(session) if inner.closed.load(Ordering::Acquire) => session.close().await,
                Ok(session) => inner.add(session),
                Err(error) => {
                    tracing::debug!("the Grid reports a free browser but does not provide it: {error}");
                }
            }
        });
    }

    /// Reduces the target by one and returns true, if a Grid provides the browsers and others are left.
    fn shrink(&self) -> bool {
        let fewer = |size: usize| (size > 1).then(|| size - 1);
        self.grid.is_some() && self.size.fetch_update(Ordering::AcqRel, Ordering::Acquire, fewer).is_ok()
    }
}

/// A leased browser. Dropping it returns it to the pool. After a fatal failure, the next [`PageSource::open`] uses a
/// new browser.
#[derive(Debug)]
pub struct Lease {
    session: Option<Session>,
    inner: Arc<Inner>,
    /// Message of the last failure.
    last: String,
    /// The traffic of a browser that is gone.
    left: Traffic,
    permit: Option<OwnedSemaphorePermit>,
}

impl Lease {
    /// The browser, if it is usable.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref().filter(|session| session.is_usable())
    }

    /// The browser, replaced if it is not usable.
    async fn usable(&mut self) -> Result<&mut Session, VisitError> {
        if self.inner.closed.load(Ordering::Acquire) {
            return Err(was_closed());
        }
        let session = match self.session.take() {
            Some(session) if session.is_usable() => session,
            lost => {
                if let Some(lost) = lost {
                    lost.close().await;
                }
                let replaced = self.inner.replace(&self.last).await;
                replaced.inspect_err(|error| self.last = error.to_string())?
            }
        };
        Ok(self.session.insert(session))
    }

    /// Shuts down the browser after a failure that it does not survive.
    async fn checked<T>(&mut self, result: Result<T, VisitError>) -> Result<T, VisitError> {
        if let Err(error) = &result {
            self.last = error.to_string();
            if error.needs_new_session() {
                // The log is removed with the profile, so read it first.
                self.left = self.traffic();
                if let Some(session) = self.session.take() {
                    session.close().await;
                }
            }
        }
        result
    }
}

impl PageSource for Lease {
    async fn open(&mut self, url: &str) -> Result<Navigation, VisitError> {
        self.left = Traffic::default();
        let result = self.usable().await?.open(url).await;
        if result.is_ok() {
            self.inner.restarts.store(0, Ordering::Release);
        }
        self.checked(result).await
    }

    async fn snapshot(&mut self, options: &SnapshotOptions) -> Result<Capture, VisitError> {
        let Some(session) = &mut self.session else { return Err(VisitError::NothingOpen) };
        let result = session.snapshot(options).await;
        self.checked(result).await
    }

    async fn screenshot(&mut self, area: ScreenshotArea) -> Result<Vec<u8>, VisitError> {
        let Some(session) = &mut self.session else { return Err(VisitError::NothingOpen) };
        let result = session.screenshot(area).await;
        self.checked(result).await
    }

    fn is_fresh(&self) -> bool {
        self.session().is_none_or(PageSource::is_fresh)
    }

    fn traffic(&mut self) -> Traffic {
        self.session.as_mut().map_or_else(|| self.left.clone(), PageSource::traffic)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let session = self.session.take().filter(Session::is_usable);
        if !self.inner.closed.load(Ordering::Acquire) {
            lock(&self.inner.idle).extend(session);
        }
    }
}
