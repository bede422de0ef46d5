//! Parses a GraphQL request of a page: its root fields, their arguments with variables resolved, and what each requests.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::datum::{Datum, plain};

use super::failed::{PageResponse, ResponseBody};
use super::root::Root;
use super::unread::Unread;
use crate::capture::Exchange;
use crate::manifest::spec::Renamed;
use apollo_compiler::Node;
use apollo_compiler::ast::{Definition, Document, Selection, Value as Ast};

/// The root fields of a request with their parts of the response; none if it is no GraphQL request.
pub(super) fn roots<'a>(
    exchange: &'a Exchange,
    body: Option<&'a ResponseBody<'a>>,
    renamed: &Rc<[Renamed]>,
    unread: &Unread,
) -> Option<Vec<Root<'a>>> {
    let request = Datum::read(&exchange.request)?;
    let document = Document::parse(request.get("query")?.as_str()?, "request.graphql").ok()?;
    let wanted = request.get("operationName").and_then(Datum::as_str);
    let operation = document.definitions.iter().find_map(|definition| match definition {
        Definition::OperationDefinition(operation)
            if wanted.is_none() || operation.name.as_ref().map(|name| name.as_str()) == wanted =>
        {
            Some(operation)
        }
        _ => None,
    })?;
    let fragments: BTreeMap<_, _> = document
        .definitions
        .iter()
        .filter_map(|definition| match definition {
            Definition::FragmentDefinition(fragment) => Some((fragment.name.to_string(), fragment.clone())),
            _ => None,
        })
        .collect();
    let mut variables: BTreeMap<&str, String> = operation
        .variables
        .iter()
        .filter_map(|variable| Some((variable.name.as_str(), literal(variable.default_value.as_ref()?)?)))
        .collect();
    if let Some(Datum::Object(given)) = request.get("variables") {
        for (name, value) in given {
            match plain(value) {
                Some(text) => _ = variables.insert(name, text),
                None => _ = variables.remove(name.as_ref()),
            }
        }
    }
    let fragments = Rc::new(fragments);
    let response = Rc::new(PageResponse::new(&exchange.response, body));
    let roots = operation.selection_set.iter().filter_map(|selection| {
        let Selection::Field(field) = selection else { return None };
        Some(Root {
            field: field.name.to_string(),
            args: field
                .arguments
                .iter()
                .filter_map(|argument| {
                    let value = match argument.value.as_ref() {
                        Ast::Variable(name) => variables.get(name.as_str()).cloned()?,
                        _ => literal(&argument.value)?,
                    };
                    Some((argument.name.to_string(), value))
                })
                .collect(),
            response: Rc::clone(&response),
            key: field.response_name().to_string(),
            selection: field.selection_set.clone(),
            fragments: Rc::clone(&fragments),
            renamed: Rc::clone(renamed),
            is_ours: false,
            missed: RefCell::default(),
            unread: unread.clone(),
        })
    });
    Some(roots.collect())
}
fn literal(value: &Node<Ast>) -> Option<String> {
    match value.as_ref() {
        Ast::Enum(name) => Some(name.to_string()),
        Ast::String(text) => Some(text.clone()),
        Ast::Int(number) => Some(number.to_string()),
        Ast::Float(number) => Some(number.to_string()),
        Ast::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}
