//! Groups of countries: the world, continents, and those that questions ask about.

use super::place::Place;
use serde::Deserialize;

/// A group.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    pub id: u32,
    pub name: String,
    pub kind: String,
    #[serde(default)]
    pub members: Vec<u32>,
    continent: Option<String>,
    #[serde(default)]
    but: Vec<u32>,
    /// Goods exports in the newest year.
    pub exports: Option<f64>,
    /// Annual growth of exports over five years.
    pub growth_5: Option<f64>,
}

#[derive(Deserialize)]
struct Groups {
    group: Vec<Group>,
}

/// All groups with their members.
pub(crate) fn read(places: &[Place]) -> Result<Vec<Group>, String> {
    let Groups { mut group } =
        toml::from_str(include_str!("groups.toml")).map_err(|error| format!("groups.toml: {error}"))?;
    for group in &mut group {
        if group.members.is_empty() {
            let inside =
                |place: &&Place| group.continent.as_ref().is_none_or(|name| *name == place.continent);
            let members = places.iter().filter(inside).map(|place| place.m49);
            group.members = members.filter(|m49| !group.but.contains(m49)).collect();
        }
    }
    Ok(group)
}
