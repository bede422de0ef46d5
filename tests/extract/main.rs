//! Extraction from hand-made pages that render the same sections in other ways than any replica does: the right
//! value or a refusal, never a wrong value. Pure: captures are written by hand, no browser is started.

mod association;
mod cards;
mod charts;
mod for_person;
mod layouts;
mod mend;
mod new_view;
mod others;
mod page;
mod prose;
mod shares;
mod tables;
