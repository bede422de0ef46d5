//! A country's figures of the newest year: known ones as they are, the rest filled in so that ranks,
//! values and classes agree with each other.

use super::facts::{Facts, MainSector, Transformation};
use super::noise;
use super::place::Place;
use super::ranking::{along, along_log, fill};
use std::collections::{BTreeMap, HashMap};

/// A country with a page, all figures present.
#[derive(Debug, Clone)]
pub(crate) struct Country {
    pub place: Place,
    /// What was known; kept for values by product, partner and year.
    pub known: Facts,
    pub population: i64,
    pub gdp_per_capita: i64,
    pub gdp_per_capita_ppp: i64,
    pub gdp_per_capita_rank: usize,
    pub gdp_per_capita_ppp_rank: usize,
    pub gdp_rank: usize,
    pub gdp_ppp_rank: usize,
    pub exports: f64,
    pub exports_rank: usize,
    pub goods: f64,
    pub other: f64,
    pub imports: f64,
    pub current_account: f64,
    pub eci: f64,
    pub eci_rank: usize,
    pub eci_sitc: f64,
    pub eci_rank_change_10: i64,
    /// ECI controlled for income and natural resources.
    pub eci_controlled: f64,
    pub coi: f64,
    pub coi_rank: usize,
    pub projection: f64,
    pub projection_rank: usize,
    pub speed: String,
    pub against_income: String,
    pub diversity: usize,
    pub in_space: usize,
    pub diversity_rank: usize,
    pub diversity_rank_change_15: i64,
    pub diversity_change_10: i64,
    pub new_count: usize,
    pub new_value: f64,
    pub new_per_capita: i64,
    pub policy: String,
    pub growth_per_capita_5: f64,
    pub regional_5: String,
    pub export_growth_5: f64,
    pub non_oil_growth_5: f64,
    pub pattern_5: String,
    pub main_sector: MainSector,
    pub transformation: Transformation,
}

impl Country {
    /// The key of this country for [`noise`].
    pub(crate) fn key(&self) -> u64 {
        u64::from(self.place.m49)
    }

    /// `APlus` to `DMinus`, from the count of new products among all counts.
    pub(crate) fn grade(&self, tenth_best: usize) -> &'static str {
        match self.new_count {
            count if count >= tenth_best => "APlus",
            30.. => "A",
            13.. => "B",
            6.. => "C",
            3.. => "D",
            _ => "DMinus",
        }
    }

    /// Share of the ranking that stands before this growth projection, as the page words it.
    pub(crate) fn percentile(&self, total: usize) -> &'static str {
        match self.projection_rank * 100 / total {
            0..10 => "TopDecile",
            10..25 => "TopQuartile",
            25..50 => "TopHalf",
            _ => "BottomHalf",
        }
    }

    /// Many, a moderate number of, or few opportunities: third of the complexity outlook ranking.
    pub(crate) fn opportunities(&self, total: usize) -> &'static str {
        match self.coi_rank * 3 / total {
            0 => "high",
            1 => "medium",
            _ => "low",
        }
    }
}

/// A ranking of all countries: known ranks stay, values not known follow from their neighbours in rank.
struct Ranked {
    ranks: Vec<usize>,
    values: Vec<f64>,
}

fn ranked(
    known: impl Iterator<Item = (Option<usize>, Option<f64>)>,
    score: &[f64],
    ends: (f64, f64),
    log: bool,
) -> Ranked {
    let known: Vec<(Option<usize>, Option<f64>)> = known.collect();
    let ranks = fill(&known.iter().map(|(rank, _)| *rank).collect::<Vec<_>>(), score);
    let mut anchors = BTreeMap::from([(1, ends.0), (ranks.len(), ends.1)]);
    for (rank, value) in &known {
        if let (Some(rank), Some(value)) = (rank, value) {
            anchors.insert(*rank, *value);
        }
    }
    let between = if log { along_log } else { along };
    let values = known
        .iter()
        .zip(&ranks)
        .map(|((_, value), rank)| value.unwrap_or_else(|| between(&anchors, *rank)))
        .collect();
    Ranked { ranks, values }
}

/// Completes all countries with a page. `frontier` maps M49 to the rank of the complexity outlook.
pub(crate) fn complete(places: &[Place], facts: Vec<Facts>, frontier: &HashMap<u32, usize>) -> Vec<Country> {
    let mut facts: HashMap<u32, Facts> = facts.into_iter().map(|facts| (facts.m49, facts)).collect();
    let places: Vec<&Place> = places.iter().filter(|place| place.has_page()).collect();
    let known: Vec<Facts> =
        places.iter().map(|place| facts.remove(&place.m49).unwrap_or_else(|| unknown(place.m49))).collect();
    let rankings = Rankings::of(&places, &known);
    let outlook = outlook(&places, &known, frontier);
    let countries = known.into_iter().zip(&outlook).enumerate();
    countries
        .map(|(at, (known, outlook))| country(places[at].clone(), known, at, &rankings, outlook))
        .collect()
}

/// The rankings of all countries, in the order of the places.
struct Rankings {
    wealth: Ranked,
    exports: Ranked,
    eci: Ranked,
    projection: Ranked,
    diversity: Ranked,
    /// GDP per capita at purchasing power.
    ppp: Vec<f64>,
    ppp_rank: Vec<usize>,
    gdp_rank: Vec<usize>,
    gdp_ppp_rank: Vec<usize>,
}

impl Rankings {
    fn of(places: &[&Place], known: &[Facts]) -> Self {
        let score = |f: fn(&Place) -> f64| places.iter().map(|place| f(place)).collect::<Vec<f64>>();
        let key = |place: &Place| [u64::from(place.m49)];
        let wealth = ranked(
            known.iter().map(|k| (k.gdp_per_capita_rank, k.gdp_per_capita.map(|v| v as f64))),
            &score(|p| p.wealth),
            (133_000.0, 238.0),
            true,
        );
        let exports = ranked(
            known.iter().map(|k| (k.exports_rank, k.exports)),
            &score(|p| p.exports),
            (3_784_204_118_337.0, 291_204_118.0),
            true,
        );
        let eci = ranked(known.iter().map(|k| (k.eci_rank, k.eci)), &score(|p| p.eci), (2.21, -2.04), false);
        let projections: Vec<f64> = places
            .iter()
            .map(|place| {
                place.eci / 4.0 - (place.wealth + 500.0).ln() + 0.6 * noise::bell("projection", &key(place))
            })
            .collect();
        let projection = ranked(
            known.iter().map(|k| (k.projection_rank, k.projection)),
            &projections,
            (0.0612, 0.0021),
            false,
        );
        let diversities: Vec<f64> = places
            .iter()
            .map(|place| {
                place.eci + (place.exports.ln() - 23.0) / 3.0 + 0.4 * noise::bell("diversity", &key(place))
            })
            .collect();
        let diversity = ranked(
            known.iter().map(|k| (k.diversity_rank, k.diversity.map(|v| v as f64))),
            &diversities,
            (486.0, 11.0),
            false,
        );
        let gdp: Vec<f64> = (0..places.len())
            .map(|at| wealth.values[at] * known[at].population.unwrap_or(places[at].people) as f64)
            .collect();
        let ppp: Vec<f64> = (0..places.len())
            .map(|at| {
                known[at].gdp_per_capita_ppp.map_or_else(
                    || {
                        wealth.values[at].powf(0.78)
                            * 14.5
                            * noise::between("ppp", &key(places[at]), 0.85, 1.2)
                    },
                    |value| value as f64,
                )
            })
            .collect();
        let no_rank = vec![None; places.len()];
        let gdp_rank = fill(&no_rank, &gdp);
        let ppp_rank = fill(&no_rank, &ppp);
        let gdp_ppp: Vec<f64> =
            gdp.iter().zip(&ppp).zip(&wealth.values).map(|((g, p), w)| g / w * p).collect();
        let gdp_ppp_rank = fill(&no_rank, &gdp_ppp);
        Self { wealth, exports, eci, projection, diversity, ppp, ppp_rank, gdp_rank, gdp_ppp_rank }
    }
}

/// How complex a country is for its income.
const AGAINST_INCOME: [&str; 5] = ["More", "Less", "Same", "ModeratelyMore", "ModeratelyLess"];

/// One country: what is known of it, and the rest in accord with its ranks.
fn country(place: Place, known: Facts, at: usize, rankings: &Rankings, outlook: &Outlook) -> Country {
    let drawn = Drawn { key: [u64::from(place.m49)] };
    let Rankings { wealth, exports, eci, projection, diversity, .. } = rankings;
    let population = known.population.unwrap_or(place.people);
    let exported = known.exports.unwrap_or_else(|| exports.values[at].round());
    let made = diversity.values[at].round();
    let (new_count, new_value) = new_products(&place, &known, &drawn, made as usize, exported);
    let growth = |known: Option<f64>, usual: f64, spread: f64, name: &str| {
        known.unwrap_or_else(|| usual + drawn.around(spread, name))
    };
    let export_growth_5 = growth(known.export_growth_5, 0.021, 0.028, "export growth");
    let part = |known: Option<f64>, name: &str, bounds| {
        known.unwrap_or_else(|| drawn.times(exported, name, bounds).round())
    };
    Country {
        population,
        gdp_per_capita: wealth.values[at].round() as i64,
        gdp_per_capita_ppp: rankings.ppp[at].round() as i64,
        gdp_per_capita_rank: wealth.ranks[at],
        gdp_per_capita_ppp_rank: rankings.ppp_rank[at],
        gdp_rank: rankings.gdp_rank[at],
        gdp_ppp_rank: rankings.gdp_ppp_rank[at],
        exports: exported,
        exports_rank: exports.ranks[at],
        goods: part(known.goods, "goods", (0.62, 0.94)),
        other: part(known.other, "other", (0.0005, 0.006)),
        imports: part(known.imports, "imports", (0.8, 1.5)),
        current_account: known
            .current_account
            .unwrap_or_else(|| drawn.times(exported / 1e6, "account", (-0.2, 0.15)).round() * 1e6),
        eci: known.eci.unwrap_or(eci.values[at]),
        eci_rank: eci.ranks[at],
        eci_sitc: known.eci_sitc.unwrap_or_else(|| eci.values[at] + drawn.around(0.12, "sitc")),
        eci_rank_change_10: drawn.change(known.eci_rank_change_10, 8.0, "eci change"),
        eci_controlled: outlook.eci_controlled,
        coi: outlook.coi,
        coi_rank: outlook.rank,
        projection: known.projection.unwrap_or(projection.values[at]),
        projection_rank: projection.ranks[at],
        speed: known.speed.clone().unwrap_or_else(|| speed(projection.ranks[at]).to_owned()),
        against_income: drawn.word(&known.against_income, "income", &AGAINST_INCOME),
        diversity: made as usize,
        in_space: known.in_space.unwrap_or_else(|| drawn.times(made, "in space", (0.75, 0.77)) as usize),
        diversity_rank: diversity.ranks[at],
        diversity_rank_change_15: drawn.change(known.diversity_rank_change_15, 9.0, "diversity change"),
        diversity_change_10: drawn.change(known.diversity_change_10, 14.0, "diversity 10"),
        new_count,
        new_value,
        new_per_capita: known.new_per_capita.unwrap_or((new_value / population as f64).round() as i64),
        policy: outlook.policy.clone(),
        growth_per_capita_5: growth(known.growth_per_capita_5, 0.015, 0.017, "growth"),
        regional_5: drawn.word(
            &known.regional_5,
            "regional",
            &["Above", "Above", "Below", "Below", "InLine"],
        ),
        export_growth_5,
        non_oil_growth_5: growth(known.non_oil_growth_5, export_growth_5, 0.008, "non-oil"),
        pattern_5: drawn.word(&known.pattern_5, "pattern", &["Troubling", "Mixed", "Static", "Promising"]),
        main_sector: known.main_sector.clone().unwrap_or_else(|| drawn.main_sector()),
        transformation: known.transformation.clone().unwrap_or_else(|| drawn.transformation()),
        place,
        known,
    }
}

/// How many products are new, and what they are worth.
fn new_products(place: &Place, known: &Facts, drawn: &Drawn, made: usize, exported: f64) -> (usize, f64) {
    let count = known.new_count.unwrap_or_else(|| drawn.new_count(place, made));
    let usual = exported * 0.0006 * count as f64;
    let value = known.new_value.unwrap_or_else(|| drawn.times(usual, "new value", (0.3, 1.6)).round());
    (count, value)
}

const fn speed(rank: usize) -> &'static str {
    match rank {
        0..=36 => "rapid",
        37..=94 => "moderate",
        _ => "slow",
    }
}

/// What is drawn of a country where nothing is known; the same for ever.
struct Drawn {
    key: [u64; 1],
}

impl Drawn {
    fn times(&self, of: f64, name: &str, (low, high): (f64, f64)) -> f64 {
        of * noise::between(name, &self.key, low, high)
    }

    fn around(&self, spread: f64, name: &str) -> f64 {
        spread * noise::bell(name, &self.key)
    }

    fn change(&self, known: Option<i64>, spread: f64, name: &str) -> i64 {
        known.unwrap_or_else(|| self.around(spread, name).round() as i64)
    }

    fn pick(&self, name: &str, from: &[&str]) -> String {
        from[usize::try_from(noise::bits(name, &self.key) % from.len() as u64).unwrap_or(0)].to_owned()
    }

    fn word(&self, known: &Option<String>, name: &str, from: &[&str]) -> String {
        known.clone().unwrap_or_else(|| self.pick(name, from))
    }

    /// New products: no more than a quarter of what the country makes.
    fn new_count(&self, place: &Place, made: usize) -> usize {
        let drawn = noise::unit("new", &self.key).powi(2) * 46.0 * (1.0 - place.wealth / 150_000.0);
        (drawn as usize).min(made / 4)
    }

    fn main_sector(&self) -> MainSector {
        MainSector {
            key: self.pick("main", &["services", "agriculture", "minerals", "textiles", "metals"]),
            direction: self.pick("main way", &["rising", "falling", "stagnant"]),
            positive: noise::unit("main growth", &self.key) < 0.6,
        }
    }

    fn transformation(&self) -> Transformation {
        let steps = ["NotStarted", "TextilesOnly", "ElectronicsOnly", "MachineryOnly", "Completed"];
        Transformation {
            step: self.pick("step", &steps),
            sector: self.pick("step sector", &["textiles", "electronics", "machinery"]),
            direction: self.pick("step way", &["risen", "fallen", "stagnated"]),
        }
    }
}

/// Completes places without a page from their rough sizes. Their ranks mean nothing.
pub(crate) fn complete_unranked(places: &[Place], facts: Vec<Facts>) -> Vec<Country> {
    let mut facts: HashMap<u32, Facts> = facts.into_iter().map(|facts| (facts.m49, facts)).collect();
    let mut sized = Vec::new();
    let mut known = Vec::new();
    for place in places.iter().filter(|place| !place.has_page()) {
        let mut own = facts.remove(&place.m49).unwrap_or_else(|| unknown(place.m49));
        own.exports.get_or_insert(place.exports);
        own.gdp_per_capita.get_or_insert(place.wealth as i64);
        own.eci.get_or_insert(place.eci);
        own.diversity.get_or_insert((30.0 + (place.exports / 1e9).sqrt() * 11.0) as usize);
        own.new_count.get_or_insert(0);
        own.new_value.get_or_insert(0.0);
        known.push(own);
        sized.push(Place { income: Some("Low".to_owned()), ..place.clone() });
    }
    let mut others = complete(&sized, known, &HashMap::new());
    others.iter_mut().for_each(|other| other.place.income = None);
    others
}

fn unknown(m49: u32) -> Facts {
    toml::from_str(&format!("m49 = {m49}")).unwrap_or_else(|_| unreachable!("every figure is optional"))
}

struct Outlook {
    coi: f64,
    rank: usize,
    eci_controlled: f64,
    policy: String,
}

/// Complexity outlook and policy. Rule of the site: frontier countries are fixed; else COI >= 0 and controlled
/// ECI >= 0 is LightTouch (44 countries), COI >= 0 and ECI < 0 ParsimoniousIndustrial (22), COI < 0 StrategicBets (63).
fn outlook(places: &[&Place], known: &[Facts], frontier: &HashMap<u32, usize>) -> Vec<Outlook> {
    const LIGHT_TOUCH: usize = 44;
    /// Ranks with a positive outlook: 44 + 22 and ten frontier countries.
    const POSITIVE: usize = 76;
    let rank = |at: usize| frontier.get(&places[at].m49).copied().or(known[at].coi_rank);
    let score: Vec<f64> = places
        .iter()
        .map(|place| 1.0 - (place.eci - 0.3).abs() + 0.5 * noise::bell("coi", &[u64::from(place.m49)]))
        .collect();
    let mut anchors =
        BTreeMap::from([(1, 2.4), (POSITIVE, 0.0061), (POSITIVE + 1, -0.0072), (places.len(), -1.94)]);
    for facts in known {
        if let (Some(rank), Some(coi)) = (facts.coi_rank, facts.coi) {
            anchors.insert(rank, coi);
        }
    }
    let ranks = fill(&(0..places.len()).map(rank).collect::<Vec<_>>(), &score);
    let mut policies: Vec<Option<String>> = (0..places.len())
        .map(|at| match () {
            () if frontier.contains_key(&places[at].m49) => Some("TechFrontier".to_owned()),
            () if known[at].policy.is_some() => known[at].policy.clone(),
            () if ranks[at] > POSITIVE => Some("StrategicBets".to_owned()),
            () => None,
        })
        .collect();
    let light = policies.iter().flatten().filter(|policy| *policy == "LightTouch").count();
    let mut open: Vec<usize> = (0..places.len()).filter(|at| policies[*at].is_none()).collect();
    open.sort_by(|a, b| places[*b].eci.total_cmp(&places[*a].eci).then(a.cmp(b)));
    for (nth, at) in open.into_iter().enumerate() {
        let name = if nth + light < LIGHT_TOUCH { "LightTouch" } else { "ParsimoniousIndustrial" };
        policies[at] = Some(name.to_owned());
    }
    (0..places.len())
        .map(|at| {
            let policy = policies[at].clone().unwrap_or_default();
            let size = noise::between("controlled", &[u64::from(places[at].m49)], 0.04, 1.3);
            let eci_controlled = match policy.as_str() {
                "LightTouch" | "TechFrontier" => size,
                "ParsimoniousIndustrial" => -size,
                _ => size - 0.65,
            };
            let coi = known[at].coi.unwrap_or_else(|| along(&anchors, ranks[at]));
            Outlook { coi, rank: ranks[at], eci_controlled, policy }
        })
        .collect()
}
