//! Places: names, codes and rough sizes of countries, read from `places.psv`.

/// A country or territory.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub m49: u32,
    pub iso3: String,
    pub short: String,
    pub long: String,
    pub the: bool,
    pub continent: String,
    /// Income class. A place without one has no country page.
    pub income: Option<String>,
    pub people: i64,
    /// Rough GDP per capita in dollars. It orders countries without known figures.
    pub wealth: f64,
    /// Rough exports in dollars, for the same purpose.
    pub exports: f64,
    /// Rough ECI, for the same purpose.
    pub eci: f64,
}

impl Place {
    /// Whether it has a country page.
    pub(crate) const fn has_page(&self) -> bool {
        self.income.is_some()
    }
}

/// Reads all places. Errors name the line.
pub(crate) fn read(text: &str) -> Result<Vec<Place>, String> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#') && !line.is_empty())
        .map(|(at, line)| place(line).ok_or_else(|| format!("places.psv:{}: {line}", at + 1)))
        .collect()
}

fn place(line: &str) -> Option<Place> {
    let fields: Vec<&str> = line.split('|').collect();
    let [m49, iso3, short, long, the, continent, income, people, wealth, exports, eci] = fields.as_slice()
    else {
        return None;
    };
    Some(Place {
        m49: m49.parse().ok()?,
        iso3: (*iso3).to_owned(),
        short: (*short).to_owned(),
        long: (if long.is_empty() { short } else { long }).to_string(),
        the: *the == "the",
        continent: (*continent).to_owned(),
        income: (!income.is_empty()).then(|| (*income).to_owned()),
        people: people.parse::<i64>().ok()? * 1000,
        wealth: wealth.parse().ok()?,
        exports: exports.parse::<f64>().ok()? * 1e9,
        eci: eci.parse().ok()?,
    })
}
