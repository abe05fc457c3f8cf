//! Pausing and stopping a run, from the command line or the page.

use tokio::sync::watch;

use super::{JobError, progress::Step, run::Run};

/// What a person wants of the run under way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Wish {
    #[default]
    Go,
    Pause,
    Stop,
}

/// Where wishes are kept. A new run starts without any.
#[derive(Debug, Default)]
pub(super) struct Brake(watch::Sender<Wish>);

impl Brake {
    pub(super) fn set(&self, wish: Wish) {
        self.0.send_replace(wish);
    }

    pub(super) fn is(&self, wish: Wish) -> bool {
        *self.0.borrow() == wish
    }
}

impl Run<'_> {
    /// Waits while the run is paused. What was read until then stays in memory and goes on after.
    ///
    /// # Errors
    /// The run shall stop.
    pub(super) async fn pass(&self, source: Option<&str>) -> Result<(), JobError> {
        let mut wishes = self.jobs.brake.0.subscribe();
        if *wishes.borrow() == Wish::Pause {
            self.tracker.tell(Step::Paused, source, None);
        }
        match wishes.wait_for(|wish| *wish != Wish::Pause).await {
            Ok(wish) if *wish == Wish::Stop => Err(JobError::StoppedByHand),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_wish_holds() {
        let brake = Brake::default();
        assert!(brake.is(Wish::Go));
        brake.set(Wish::Pause);
        brake.set(Wish::Stop);
        assert!(brake.is(Wish::Stop));
    }
}
