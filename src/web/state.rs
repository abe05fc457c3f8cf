use std::sync::Arc;

use tokio::{sync::Semaphore, task::JoinError};

use super::{error::WebError, page_cache::PageCache, recent::RecentAnswers};
use crate::app::App;

/// What the pages need beside the application.
#[derive(Debug, Clone, Default)]
pub struct WebOptions {
    /// Set where readers arrive over TLS: cookies are then never sent in clear.
    pub secure_cookies: bool,
}

/// Shared by all handlers; clones are cheap.
#[derive(Clone)]
pub(super) struct Web {
    pub(super) app: Arc<App>,
    pub(super) options: WebOptions,
    /// Pages being drawn at the same time: each costs a worker process.
    pub(super) drawing: Arc<Semaphore>,
    /// Pages that were drawn.
    pub(super) pages: PageCache,
    /// Answers that were just given.
    pub(super) recent: RecentAnswers,
}

/// Pages drawn at the same time.
const DRAWING: usize = 2;

impl Web {
    /// The pages of an application.
    pub(super) fn new(app: Arc<App>, options: WebOptions) -> Self {
        let pages = PageCache::new(&app.config.data, app.config.server.page_cache_mb << 20);
        Web {
            app,
            options,
            drawing: Arc::new(Semaphore::new(DRAWING)),
            pages,
            recent: RecentAnswers::default(),
        }
    }

    /// Runs blocking work (catalog, log, hashing) away from the threads that serve requests.
    pub(super) async fn blocking<T, E>(
        &self,
        work: impl FnOnce(&App) -> Result<T, E> + Send + 'static,
    ) -> Result<T, WebError>
    where
        T: Send + 'static,
        E: Into<WebError> + Send + 'static,
    {
        let app = Arc::clone(&self.app);
        let joined: Result<Result<T, E>, JoinError> = tokio::task::spawn_blocking(move || work(&app)).await;
        joined.map_err(WebError::internal)?.map_err(Into::into)
    }
}
