//! compliance
