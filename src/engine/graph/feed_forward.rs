//! The feed-forward part of a layer: one gated network, or experts of which a router picks some for each token.

use kernels::cpu::{Activations, Cpu, Gate, Matrix, gated, softmax, top_k};

use super::parts::linear;
use crate::engine::EngineError;
use crate::engine::weights::Linear;

/// `down(f(gate x) × up x)`.
#[derive(Debug)]
pub(super) struct Gated {
    pub(super) gate: Linear,
    pub(super) up: Linear,
    pub(super) down: Linear,
}

/// Networks of the same shape. Each token goes through the `n_used` that the router finds likeliest; their results
/// are weighted by the router's probabilities, which are scaled so that those of a token sum to 1.
#[derive(Debug)]
pub(super) struct Experts {
    pub(super) router: Linear,
    pub(super) n_used: usize,
    pub(super) all: Vec<Gated>,
}

/// What follows attention in a layer.
#[derive(Debug)]
pub(super) enum FeedForward {
    One(Box<Gated>),
    Experts(Box<Experts>),
}

/// Buffers, kept from layer to layer.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    gate: Vec<f32>,
    up: Vec<f32>,
    routed: Routed,
}

#[derive(Debug, Default)]
struct Routed {
    probabilities: Vec<f32>,
    /// For each expert the rows that go through it, with their weights.
    rows: Vec<Vec<(usize, f32)>>,
    x: Vec<f32>,
    out: Vec<f32>,
}

/// Rows (n, width) and what computes them.
pub(super) struct Rows<'a> {
    pub(super) cpu: &'a Cpu,
    pub(super) acts: &'a mut Activations,
    pub(super) x: &'a [f32],
    pub(super) width: usize,
    /// The function on the gate.
    pub(super) function: Gate,
}

impl Gated {
    fn forward(
        &self,
        r: &mut Rows<'_>,
        halves: (&mut Vec<f32>, &mut Vec<f32>),
        out: &mut Vec<f32>,
    ) -> Result<(), EngineError> {
        let (gate, up) = halves;
        linear(r.cpu, r.acts, r.x, r.width, &mut [(&self.gate, &mut *gate), (&self.up, &mut *up)])?;
        gated(r.cpu, gate, up, r.function)?;
        linear(r.cpu, r.acts, gate, self.down.matrix.n_in(), &mut [(&self.down, out)])
    }

    fn matrices(&self) -> impl Iterator<Item = &Matrix> {
        [&self.gate, &self.up, &self.down].into_iter().map(|l| &l.matrix)
    }
}

impl FeedForward {
    /// The result (n, width) for the rows replaces `out`. A row's result does not depend on the other rows.
    pub(super) fn forward(
        &self,
        r: &mut Rows<'_>,
        s: &mut Scratch,
        out: &mut Vec<f32>,
    ) -> Result<(), EngineError> {
        match self {
            Self::One(network) => network.forward(r, (&mut s.gate, &mut s.up), out),
            Self::Experts(experts) => experts.forward(r, s, out),
        }
    }

    /// All matrices, and the share of each that one token goes through.
    pub(super) fn matrices(&self) -> Vec<(&Matrix, f64)> {
        match self {
            Self::One(network) => network.matrices().map(|m| (m, 1.0)).collect(),
            Self::Experts(experts) => {
                let share = experts.n_used as f64 / experts.all.len().max(1) as f64;
                let all = experts.all.iter().flat_map(Gated::matrices).map(|m| (m, share));
                all.chain([(&experts.router.matrix, 1.0)]).collect()
            }
        }
    }
}

impl Experts {
    fn forward(&self, r: &mut Rows<'_>, s: &mut Scratch, out: &mut Vec<f32>) -> Result<(), EngineError> {
        let Scratch { gate, up, routed } = s;
        self.route(r, routed)?;
        out.clear();
        out.resize(r.x.len(), 0.0);
        // Experts in their order: each row adds up its own in that order, whoever else goes through them.
        for (expert, rows) in self.all.iter().zip(&routed.rows) {
            if rows.is_empty() {
                continue;
            }
            routed.x.clear();
            for (row, _) in rows {
                routed.x.extend_from_slice(&r.x[row * r.width..(row + 1) * r.width]);
            }
            let Rows { cpu, width, function, .. } = *r;
            let mut gathered = Rows { cpu, acts: &mut *r.acts, x: &routed.x, width, function };
            expert.forward(&mut gathered, (&mut *gate, &mut *up), &mut routed.out)?;
            for ((row, weight), result) in rows.iter().zip(routed.out.chunks_exact(width)) {
                let out = &mut out[row * width..(row + 1) * width];
                out.iter_mut().zip(result).for_each(|(o, v)| *o += weight * v);
            }
        }
        Ok(())
    }

    /// Fills in which rows go through each expert.
    fn route(&self, r: &mut Rows<'_>, routed: &mut Routed) -> Result<(), EngineError> {
        let n = self.all.len();
        linear(r.cpu, r.acts, r.x, r.width, &mut [(&self.router, &mut routed.probabilities)])?;
        softmax(r.cpu, &mut routed.probabilities, n)?;
        routed.rows.resize(n, Vec::new());
        routed.rows.iter_mut().for_each(Vec::clear);
        for (row, probabilities) in routed.probabilities.chunks_exact(n).enumerate() {
            let picked = top_k(probabilities, self.n_used);
            let sum: f32 = picked.iter().map(|(_, p)| p).sum();
            for (expert, p) in picked {
                if let Some(rows) = routed.rows.get_mut(expert) {
                    rows.push((row, p / sum));
                }
            }
        }
        Ok(())
    }
}
