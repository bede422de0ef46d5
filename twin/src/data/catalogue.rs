//! The product catalogue: HS 1992 goods in two and four digits, services, and the eleven sectors.
//! Ids follow the positions of headings: 650 + position (four digits), 100 + position (two digits).

use super::vintage::Vintage;
use super::{noise, separated};
use serde::Deserialize;
use std::collections::HashMap;

/// Number of goods in the product space.
const SPACE: usize = 852;

/// A product of any level.
#[derive(Debug, Clone, Default)]
pub(crate) struct Product {
    pub id: u32,
    pub code: String,
    pub short: String,
    pub long: String,
    /// Index into [`Catalogue::sectors`].
    pub sector: usize,
    /// Index into [`Catalogue::groups`] for a four-digit product.
    pub group: Option<usize>,
    pub service: bool,
    /// Size of its world market in the newest year in dollars, the base of RCA. If world exports are known, it is their
    /// value; for other products they are in [`super::totals`].
    pub world: f64,
    /// Growth of world exports over five years at constant prices, as a fraction.
    pub growth_5: f64,
    /// Its complexity, whether or not the site shows it; 0 for services.
    pub latent_pci: f64,
    /// Ores, fuels, precious stones and metals. They have no PCI on country pages.
    pub natural: bool,
    /// A PCI that country pages show nevertheless, from a later release on.
    pub late_pci: Option<f64>,
    /// Its position in the product space, if it has one.
    pub at: Option<(f64, f64)>,
}

impl Product {
    /// The PCI on country pages.
    pub(crate) fn pci(&self) -> Option<f64> {
        (!self.service && !self.natural && self.code != "9999" && self.code != "XXXX")
            .then_some(self.latent_pci)
    }

    /// The PCI including one from a later release, which is shown but not in any ranking or level.
    pub(crate) fn shown_pci(&self) -> Option<f64> {
        self.pci().or(self.late_pci)
    }
}

/// A sector.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Sector {
    pub key: String,
    pub name: String,
    pub long: String,
}

#[derive(Deserialize)]
struct Service {
    code: String,
    name: String,
    world: f64,
}

#[derive(Deserialize)]
struct Sectors {
    sector: Vec<Sector>,
    service: Vec<Service>,
}

/// All products.
#[derive(Debug)]
pub(crate) struct Catalogue {
    pub sectors: Vec<Sector>,
    pub groups: Vec<Product>,
    pub products: Vec<Product>,
    by_code: HashMap<String, usize>,
    /// Terciles of complexity among goods.
    terciles: (f64, f64),
}

/// A heading with known figures.
#[derive(Deserialize)]
struct Known {
    code: String,
    short: String,
    world: Option<f64>,
    pci: Option<f64>,
    long: String,
}

/// A chapter: the two-digit group.
#[derive(Deserialize)]
struct Chapter {
    code: String,
    headings: String,
    sector: String,
    pci: Option<f64>,
    short: String,
    long: String,
}

impl Catalogue {
    /// Builds the catalogue from the data files. `total` is the world's exports, `growth` the known growth rates.
    pub(crate) fn read(total: f64, growth: &HashMap<String, f64>) -> Result<Self, String> {
        let Sectors { mut sector, service } =
            toml::from_str(include_str!("sectors.toml")).map_err(|e| e.to_string())?;
        sector.push(Sector { key: "services".into(), name: "Services".into(), long: "Services".into() });
        let known = known(include_str!("goods.psv"))?;
        let mut groups = Vec::new();
        let mut products = Vec::new();
        for one in separated::rows::<Chapter>("chapters.psv", include_str!("chapters.psv"))? {
            chapter(&one, &sector, &known, &mut groups, &mut products)
                .ok_or_else(|| format!("chapters.psv: {}", one.code))?;
        }
        let services: f64 = service.iter().map(|service| service.world).sum();
        share_out(&mut products, &known, total - services);
        let goods_groups = groups.len();
        for (at, service) in service.into_iter().enumerate() {
            let last = sector.len() - 1;
            let make = |id, group| Product {
                id,
                code: service.code.clone(),
                short: service.name.clone(),
                long: service.name.clone(),
                sector: last,
                group,
                service: true,
                world: service.world,
                growth_5: noise::between("service growth", &[at as u64], 0.05, 0.35),
                ..Product::default()
            };
            groups.push(make(400 + at as u32, None));
            products.push(make(4000 + at as u32, Some(goods_groups + at)));
        }
        for product in &mut products {
            if let Some(growth) = growth.get(&product.code) {
                product.growth_5 = *growth;
            }
        }
        place_in_space(&mut products);
        let by_code = products.iter().enumerate().map(|(at, p)| (p.code.clone(), at)).collect();
        let mut pcis: Vec<f64> = products.iter().filter_map(Product::pci).collect();
        pcis.sort_by(f64::total_cmp);
        let terciles = (pcis[pcis.len() / 3], pcis[pcis.len() * 2 / 3]);
        Ok(Self { sectors: sector, groups, products, by_code, terciles })
    }

    /// Applies a release: revised growth, added PCI, renamed codes.
    pub(crate) fn amend(&mut self, vintage: &Vintage) {
        for (code, growth) in &vintage.growth_5 {
            if let Some(at) = self.find(code) {
                self.products[at].growth_5 = *growth;
            }
        }
        for (code, pci) in &vintage.pci {
            if let Some(at) = self.find(code) {
                self.products[at].late_pci = Some(*pci);
            }
        }
        for (old, new) in &vintage.codes {
            // The data files still use the old code.
            let found = self.find(old);
            self.by_code.extend(found.map(|at| (new.clone(), at)));
            for product in self.products.iter_mut().chain(&mut self.groups).filter(|one| one.code == *old) {
                product.code.clone_from(new);
            }
        }
    }

    /// The four-digit product or service with this code.
    pub(crate) fn find(&self, code: &str) -> Option<usize> {
        self.by_code.get(code).copied()
    }

    /// The number of goods (four digits). They precede the services.
    pub(crate) fn goods(&self) -> usize {
        self.products.iter().take_while(|product| !product.service).count()
    }

    /// `low`, `moderate` or `high`: the tercile of a PCI among all goods.
    pub(crate) fn level(&self, pci: f64) -> &'static str {
        match pci {
            pci if pci < self.terciles.0 => "low",
            pci if pci < self.terciles.1 => "moderate",
            _ => "high",
        }
    }

    /// The mean complexity of a two-digit group, weighted by world exports.
    pub(crate) fn group_pci(&self, group: usize) -> Option<f64> {
        let members = self.products.iter().filter(|product| product.group == Some(group));
        let (sum, weight) = members
            .filter_map(|product| Some((product.pci()? * product.world, product.world)))
            .fold((0.0, 0.0), |(sum, weight), (x, w)| (sum + x, weight + w));
        (weight > 0.0).then(|| sum / weight)
    }
}

/// Headings with known figures, by code.
fn known(text: &str) -> Result<HashMap<String, Known>, String> {
    let mut known = HashMap::new();
    for mut one in separated::rows::<Known>("goods.psv", text)? {
        one.long = separated::long_name(one.long, &one.short);
        one.world = one.world.map(|billions| billions * 1e9);
        known.insert(one.code.clone(), one);
    }
    Ok(known)
}

fn chapter(
    one: &Chapter,
    sectors: &[Sector],
    known: &HashMap<String, Known>,
    groups: &mut Vec<Product>,
    products: &mut Vec<Product>,
) -> Option<()> {
    let Chapter { code, short, .. } = one;
    let sector = sectors.iter().position(|other| other.key == one.sector)?;
    let mean = one.pci.unwrap_or(0.0);
    let group = groups.len();
    let long = separated::long_name(one.long.clone(), short);
    let blank = |id, code: String, short: &str, long: &str, group| Product {
        id,
        code,
        short: short.to_owned(),
        long: long.to_owned(),
        sector,
        group,
        latent_pci: mean,
        ..Product::default()
    };
    groups.push(blank(100 + group as u32, code.clone(), short, &long, None));
    let mut headings = separated::codes(code, &one.headings)?;
    if code == "99" {
        headings.push("XXXX".to_owned());
    }
    for heading in headings {
        let id = 650 + products.len() as u32;
        let entry = known.get(&heading);
        let (short, long) = match entry {
            Some(known) => (known.short.clone(), known.long.clone()),
            None if heading == "XXXX" => {
                ("Trade data discrepancies".into(), "Trade data discrepancies".into())
            }
            None => (
                format!("{short}, other ({heading})"),
                format!("{long}, not elsewhere specified ({heading})"),
            ),
        };
        let key = [u64::from(id)];
        let mut product = blank(id, heading, &short, &long, Some(group));
        product.growth_5 = noise::bell("growth", &key).mul_add(0.16, 0.11).max(-0.6);
        product.latent_pci =
            entry.and_then(|known| known.pci).unwrap_or_else(|| mean + 0.5 * noise::bell("pci", &key));
        product.natural = matches!(code.as_str(), "26" | "27")
            || matches!(product.code.as_str(), "7102" | "7103" | "7106" | "7108" | "7110");
        products.push(product);
    }
    Some(())
}

/// Distributes the remaining world goods exports over the goods of unknown size.
fn share_out(products: &mut [Product], known: &HashMap<String, Known>, goods: f64) {
    let size = |product: &Product| known.get(&product.code).and_then(|known| known.world);
    let taken: f64 = products.iter().filter_map(size).sum();
    let weight = |product: &Product| {
        if product.code == "XXXX" { 0.2 } else { noise::bell("world", &[u64::from(product.id)]).exp() }
    };
    let weights: f64 = products.iter().filter(|p| size(p).is_none()).map(weight).sum();
    for product in products.iter_mut() {
        product.world = size(product).unwrap_or((goods - taken) * weight(product) / weights).round();
    }
}

/// Places the goods of the product space in a plane, near others of their sector and complexity.
fn place_in_space(products: &mut [Product]) {
    let mut order: Vec<usize> = (0..products.len())
        .filter(|at| !products[*at].service && products[*at].sector != 9 && !products[*at].natural)
        .collect();
    // The space takes a pseudo-random selection of the remaining goods.
    order.sort_by_key(|at| noise::bits("space", &[u64::from(products[*at].id)]));
    for at in order.into_iter().take(SPACE) {
        let product = &mut products[at];
        let angle = f64::from(u32::try_from(product.sector).unwrap_or(0)) * std::f64::consts::TAU / 9.0;
        let key = [u64::from(product.id)];
        let reach = 1.15 - 0.3 * product.latent_pci.clamp(-2.5, 2.5);
        product.at = Some((
            angle.cos().mul_add(reach, 0.28 * noise::bell("space x", &key)),
            angle.sin().mul_add(reach, 0.28 * noise::bell("space y", &key)),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        Catalogue::read(29_349_810_077_963.0, &HashMap::new()).unwrap()
    }

    #[test]
    fn ids_follow_the_positions_of_headings() {
        let catalogue = catalogue();
        for (code, id) in [
            ("0101", 650),
            ("0803", 714),
            ("0901", 726),
            ("0902", 727),
            ("2709", 910),
            ("8542", 1745),
            ("8703", 1763),
            ("8708", 1768),
            ("unspecified", 4000),
            ("travel", 4001),
            ("transport", 4002),
            ("ict", 4003),
            ("financial", 4004),
        ] {
            assert_eq!(catalogue.products[catalogue.find(code).unwrap()].id, id, "{code}");
        }
        let chapter = |code: &str| catalogue.groups.iter().find(|group| group.code == code).unwrap().id;
        assert_eq!((chapter("27"), chapter("84"), chapter("87")), (126, 182, 185));
        assert_eq!(catalogue.products.len(), 1248);
    }

    #[test]
    fn goods_and_services_sum_to_the_world() {
        let sum: f64 = catalogue().products.iter().map(|product| product.world).sum();
        assert!((sum / 29_349_810_077_963.0 - 1.0).abs() < 1e-9, "{sum}");
    }

    #[test]
    fn the_space_has_its_size_and_no_natural_resource() {
        let catalogue = catalogue();
        assert_eq!(catalogue.products.iter().filter(|product| product.at.is_some()).count(), SPACE);
        assert!(catalogue.products.iter().all(|product| !(product.natural && product.at.is_some())));
    }
}
