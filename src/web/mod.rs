//! The pages in the browser: router table, middleware, extractors, one file per page.
//!
//! Every route stands in one table ([`router()`]) with the access it needs, and is closed unless the
//! table says otherwise. What a reader may see comes from the session's scope alone and is applied by
//! the catalog and the index; a document outside it does not exist. Pages work without scripts, except
//! that an answer then appears at once instead of growing. No page loads anything from another host.
//!
//! This module never reads a file of the data folder except cached page images, never decides what is
//! relevant, and never puts a cause into a page: causes go to the log, readers get a reference.

mod access;
mod assets;
mod context;
mod cookies;
mod error;
mod extract;
mod format;
mod frame;
mod i18n;
mod links;
mod marks;
mod originals;
mod page_cache;
mod pages;
mod recent;
mod router;
mod security;
mod state;

#[cfg(test)]
mod samples;

pub use access::Access;
pub use router::{router, router_with, routes};
pub use state::WebOptions;
