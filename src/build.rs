//! Nothing to do at build time: everything is chosen at run time or checked by types.

fn main() {}
