//! Figures of a made-up world: the same question always has the same answer.

use super::Sequence;

pub struct Country {
    pub id: u16,
    pub name: &'static str,
    /// As rows call it.
    pub row_name: &'static str,
}

const fn country(id: u16, name: &'static str, row_name: &'static str) -> Country {
    Country { id, name, row_name }
}

pub const COUNTRIES: &[Country] = &[
    country(404, "Kenya", "Kenya"),
    country(724, "Spain", "Spain"),
    country(76, "Brazil", "Brazil"),
    country(276, "Germany", "Germany"),
    country(356, "India", "India"),
    country(792, "Turkey", "Turkiye"),
    country(231, "Ethiopia", "Ethiopia"),
    country(704, "Vietnam", "Vietnam"),
    country(818, "Egypt", "Egypt"),
    country(398, "Kazakhstan", "Kazakhstan"),
    country(566, "Nigeria", "Nigeria"),
    country(702, "Singapore", "Singapore"),
    country(710, "South Africa", "South Africa"),
    country(250, "France", "France"),
    country(152, "Chile", "Chile"),
    country(604, "Peru", "Peru"),
    country(826, "the United Kingdom", "United Kingdom"),
    country(756, "Switzerland", "Switzerland"),
    country(764, "Thailand", "Thailand"),
    country(528, "the Netherlands", "Netherlands"),
    country(372, "Ireland", "Ireland"),
    country(392, "Japan", "Japan"),
    country(36, "Australia", "Australia"),
    country(156, "China", "China"),
    country(410, "South Korea", "South Korea"),
    country(752, "Sweden", "Sweden"),
    country(643, "Russia", "Russia"),
    country(170, "Colombia", "Colombia"),
    country(360, "Indonesia", "Indonesia"),
    country(616, "Poland", "Poland"),
    country(458, "Malaysia", "Malaysia"),
    country(484, "Mexico", "Mexico"),
    country(620, "Portugal", "Portugal"),
    country(32, "Argentina", "Argentina"),
    country(288, "Ghana", "Ghana"),
    country(840, "the United States", "USA"),
    country(384, "Côte d'Ivoire", "Ivory Coast"),
    country(268, "Georgia", "Georgia"),
    country(586, "Pakistan", "Pakistan"),
    country(50, "Bangladesh", "Bangladesh"),
];

pub struct Product {
    pub code: &'static str,
    /// As questions call it.
    pub asked: &'static str,
    /// As rows call it.
    pub name: &'static str,
    pub hs92: u32,
    pub hs12: u32,
}

const fn product(
    code: &'static str,
    asked: &'static str,
    name: &'static str,
    hs92: u32,
    hs12: u32,
) -> Product {
    Product { code, asked, name, hs92, hs12 }
}

pub const PRODUCTS: &[Product] = &[
    product("0901", "coffee", "Coffee", 726, 725),
    product("0902", "tea", "Tea", 727, 726),
    product("0803", "bananas", "Bananas", 714, 713),
    product("2709", "crude petroleum", "Petroleum oils, crude", 910, 905),
    product("2710", "refined petroleum oils", "Petroleum oils, refined", 911, 906),
    product("2601", "iron ore", "Iron ores and concentrates", 880, 876),
    product("2603", "copper ore", "Copper ore", 882, 878),
    product("3004", "packaged medicaments", "Medicaments, packaged", 959, 955),
    product("6109", "knitted T-shirts", "T-shirts, knit", 1384, 1380),
    product("8542", "electronic integrated circuits", "Electronic integrated circuits", 1745, 1739),
    product("8703", "cars", "Cars", 1763, 1757),
    product("8708", "parts of motor vehicles", "Parts of motor vehicles", 1768, 1762),
    product("7108", "gold", "Gold", 1470, 1466),
    product("7102", "diamonds", "Diamonds", 1464, 1460),
];

pub const SERVICES: &[(&str, &str)] = &[
    ("Business", "ict"),
    ("Travel & tourism", "travel"),
    ("Transport", "transport"),
    ("Unspecified", "unspecified"),
    ("Insurance & finance", "financial"),
];

pub const SECTORS: &[&str] =
    &["Minerals", "Agriculture", "Textiles", "Electronics", "Machinery", "Chemicals"];

pub const GROUPS: &[(u32, &str, &str)] = &[
    (2, "Sub-Saharan Africa", "Sub-Saharan Africa"),
    (3, "the European Union", "European Union"),
    (5, "East Asia and the Pacific", "East Asia & Pacific"),
];

/// The figures.
pub struct World {
    pub seed: u64,
}

impl World {
    fn random(&self, parts: &[&str]) -> Sequence {
        let mut hash = self.seed ^ 0xcbf2_9ce4_8422_2325;
        for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let mut random = Sequence(hash);
        random.below(2);
        random
    }

    /// A number of this size that is the same for the same thing, `low` to ten times `low`.
    pub fn amount(&self, low: u64, parts: &[&str]) -> u64 {
        let mut random = self.random(parts);
        low + random.below(low * 9) / 7 * 7 + random.below(7)
    }

    /// Between `low` and `high` thousandths.
    pub fn thousandths(&self, low: u64, high: u64, parts: &[&str]) -> f64 {
        (low + self.random(parts).below(high - low)) as f64 / 1000.0
    }

    pub fn goods(&self, country: &Country, year: u32) -> u64 {
        let base = self.amount(20_000_000_000, &["goods", country.row_name]);
        let growth = self.thousandths(1010, 1075, &["growth", country.row_name]);
        let noise = self.thousandths(960, 1040, &["noise", country.row_name, &year.to_string()]);
        (base as f64 * growth.powi(year as i32 - 2010) * noise) as u64
    }

    pub fn service(&self, country: &Country, service: &str, year: u32) -> u64 {
        let part = self.thousandths(12, 90, &["service", country.row_name, service]);
        (self.goods(country, year) as f64 * part) as u64
    }

    pub fn services(&self, country: &Country, year: u32) -> u64 {
        SERVICES.iter().map(|(name, _)| self.service(country, name, year)).sum()
    }

    pub fn exports(&self, country: &Country, year: u32) -> u64 {
        self.goods(country, year) + self.services(country, year)
    }

    pub fn imports(&self, country: &Country, year: u32) -> u64 {
        let ratio = self.thousandths(700, 1350, &["imports", country.row_name, &year.to_string()]);
        (self.exports(country, year) as f64 * ratio) as u64
    }

    pub fn product(&self, country: &Country, product: &Product, class: &str, year: u32) -> u64 {
        let part = self.thousandths(3, 70, &["product", country.row_name, product.code]);
        let class = self.thousandths(930, 1070, &["class", product.code, class]);
        (self.goods(country, year) as f64 * part * class) as u64
    }

    pub fn world(&self, product: &Product, class: &str) -> u64 {
        COUNTRIES.iter().map(|country| self.product(country, product, class, 2024)).sum::<u64>() * 3 / 2
    }

    pub fn sector(&self, country: &Country, sector: &str, year: u32) -> u64 {
        let year = year.to_string();
        let part = self.thousandths(30, 410, &["sector", country.row_name, sector, &year]);
        (self.goods(country, year.parse().unwrap()) as f64 * part) as u64
    }

    pub fn partner(&self, country: &Country, partner: &Country, year: u32) -> u64 {
        let part = self.thousandths(10, 120, &["partner", country.row_name, partner.row_name]);
        (self.goods(country, year) as f64 * part) as u64
    }

    pub fn gdp_per_capita(&self, country: &Country) -> u64 {
        self.amount(1_100, &["gdp", country.row_name])
    }

    pub fn rank(&self, country: &Country, of: &str) -> u32 {
        u32::try_from(1 + self.random(&["rank", of, country.row_name]).below(144)).unwrap()
    }

    pub fn index(&self, parts: &[&str]) -> f64 {
        self.thousandths(0, 4200, parts) - 2.1 + 0.00037
    }
}

/// How money is written: with a word and two decimals, with three digits and a letter.
pub fn money(value: u64, short: bool) -> String {
    let value = value as f64;
    let (scaled, word, letter) = match value {
        v if v >= 1e12 => (v / 1e12, "trillion", "T"),
        v if v >= 1e9 => (v / 1e9, "billion", "B"),
        v if v >= 1e6 => (v / 1e6, "million", "M"),
        v => (v / 1e3, "thousand", "k"),
    };
    if !short {
        return format!("${scaled:.2} {word}");
    }
    match scaled {
        s if s >= 99.95 => format!("${s:.0}{letter}"),
        s if s >= 9.995 => format!("${s:.1}{letter}"),
        s => format!("${s:.2}{letter}"),
    }
}

pub fn percent(fraction: f64, decimals: usize) -> String {
    format!("{:.decimals$}%", fraction * 100.0)
}

pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn ordinal(place: u32) -> String {
    let suffix = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{place}{suffix} of 145")
}

pub const SITE: &str = "https://atlas.hks.harvard.edu";

pub fn page(country: &Country, section: &str) -> String {
    let slash = if section.is_empty() { "" } else { "/" };
    format!("{SITE}/countries/{}{slash}{section}", country.id)
}

pub fn explore(viz: &str, query: &str) -> String {
    format!("{SITE}/explore/{viz}?{query}")
}

/// What a page of one country and year is asked for.
pub fn of_year(country: &Country, year: u32) -> String {
    format!("year={year}&exporter=country-{}", country.id)
}

/// What a page of one country over years is asked for.
pub fn over_years(country: &Country, first: u32, last: u32) -> String {
    format!("exporter=country-{}&startYear={first}&endYear={last}", country.id)
}
