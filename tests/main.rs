//! local
mod flows { mod retrieval; }
