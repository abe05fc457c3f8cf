//! local
pub mod scope;
pub mod catalog;
pub mod index;
pub mod audit;
pub mod config;
pub mod engine;
pub mod answer;
