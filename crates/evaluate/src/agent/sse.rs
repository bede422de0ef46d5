//! Parses server-sent events from chunks (WHATWG HTML, section 9.2). Lines end in `
//! `, `\r
//! ` or `\r`. An empty line sends the event, and a line that starts with `:` is a comment.

/// One event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub name: String,
    pub data: String,
}

/// A parser of events.
#[derive(Debug, Default)]
pub(super) struct Events {
    pending: Vec<u8>,
    event: Event,
    has_data: bool,
    /// Whether the last line ended in `\r`, so that a following `
    /// ` belongs to it.
    after_return: bool,
}

impl Events {
    /// The events completed by a chunk.
    pub(super) fn push(&mut self, chunk: &[u8]) -> Vec<Event> {
        let mut out = Vec::new();
        for &byte in chunk {
            match byte {
                b'\n' if self.after_return => self.after_return = false,
                b'\n' | b'\r' => {
                    self.after_return = byte == b'\r';
                    let line = std::mem::take(&mut self.pending);
                    out.extend(self.line(&String::from_utf8_lossy(&line)));
                }
                _ => {
                    self.after_return = false;
                    self.pending.push(byte);
                }
            }
        }
        out
    }

    fn line(&mut self, line: &str) -> Option<Event> {
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_whole_however_they_are_cut() {
        let text =
            ": ping\r\nevent: a\r\ndata: {\"x\":\r\ndata: 1}\r\n\r\ndata: é\n\nevent: none\n\ndata: half";
        let whole = Events::default().push(text.as_bytes());
        let mut cut = Events::default();
        let bytes: Vec<Event> = text.as_bytes().iter().flat_map(|byte| cut.push(&[*byte])).collect();
        assert_eq!(whole, bytes);
        let reported: Vec<(&str, &str)> = whole.iter().map(|e| (e.name.as_str(), e.data.as_str())).collect();
        assert_eq!(reported, [("a", "{\"x\":\n1}"), ("", "é")]);
    }
}
