use std::{future::Future, io, net::SocketAddr};

use tokio::net::TcpListener;

use super::{router::router, state::Web};

/// Serves the pages until `shutdown` resolves; requests under way are answered first.
///
/// # Errors
/// The listener broke.
pub async fn serve(
    web: Web,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let service = router(web).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).with_graceful_shutdown(shutdown).await
}
