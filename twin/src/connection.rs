//! Connections that a handler can reset instead of answering.

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// The client of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    pub address: SocketAddr,
    reset: Arc<AtomicBool>,
}

impl Peer {
    /// Resets the connection at its next write.
    pub(crate) fn reset(&self) {
        self.reset.store(true, Ordering::SeqCst);
    }
}

/// Accepts connections that can be reset.
#[derive(Debug)]
pub(crate) struct ResettableListener(pub TcpListener);

/// A connection that can be reset.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    reset: Arc<AtomicBool>,
}

impl Connection {
    fn broken(&self) -> Option<io::Error> {
        if !self.reset.load(Ordering::SeqCst) {
            return None;
        }
        // With zero linger, closing sends RST.
        let _ = self.stream.set_zero_linger();
        Some(io::ErrorKind::ConnectionReset.into())
    }
}

impl Listener for ResettableListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        let _ = stream.set_nodelay(true);
        (Connection { stream, reset: Arc::default() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

impl Connected<IncomingStream<'_, ResettableListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, ResettableListener>) -> Self {
        Self { address: *stream.remote_addr(), reset: Arc::clone(&stream.io().reset) }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.broken() {
            Some(error) => Poll::Ready(Err(error)),
            None => Pin::new(&mut self.stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.broken() {
            Some(error) => Poll::Ready(Err(error)),
            None => Pin::new(&mut self.stream).poll_shutdown(cx),
        }
    }
}
