use super::*;
use crate::value::{Flow, format};

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// An operand as a page displays it, with what is behind it.
fn shown(label: &str, low: &str, number: &str, high: &str, precise: Option<&str>) -> DerivedOperand {
    DerivedOperand {
        label: label.to_owned(),
        number: decimal(number),
        interval: Interval::closed(decimal(low), decimal(high)),
        precise: precise.map(decimal),
        unit: Unit::Usd,
        context: Context { country: Some("404".into()), ..Context::default() },
    }
}

fn exact(label: &str, number: &str) -> DerivedOperand {
    shown(label, number, number, number, Some(number))
}

fn of_year(mut operand: DerivedOperand, year: i16) -> DerivedOperand {
    operand.context.period = Some(Period::year(year));
    operand
}

fn in_unit(unit: Unit, mut operand: DerivedOperand) -> DerivedOperand {
    operand.unit = unit;
    operand
}

fn number(operation: Operation, of: &[DerivedOperand]) -> DerivedOperand {
    match operation.apply(of).unwrap().result {
        DerivedValue::Number(number) => number,
        other => panic!("{other:?}"),
    }
}

/// Number, low and high of a result.
fn made(operation: Operation, of: &[DerivedOperand]) -> (String, String, String) {
    let made = number(operation, of);
    let text = |number: Decimal| number.round_dp(6).normalize().to_string();
    (text(made.number), text(made.interval.low), text(made.interval.high))
}

fn triple(number: &str, low: &str, high: &str) -> (String, String, String) {
    (number.into(), low.into(), high.into())
}

#[test]
fn every_operation_is_what_a_person_computes_by_hand() {
    // $9.8B and $16B, as the corner prints them: 9.75 to 9.85, and 15.5 to 16.5
    let first = of_year(shown("2020", "9.75", "9.8", "9.85", None), 2020);
    let last = of_year(shown("2024", "15.5", "16", "16.5", None), 2024);
    let years = [first, last];
    assert_eq!(made(Operation::Change, &years), triple("6.2", "5.65", "6.75"));
    // 16 / 9.8 - 1; 15.5 / 9.85 - 1; 16.5 / 9.75 - 1
    assert_eq!(made(Operation::Growth, &years), triple("63.265306", "57.360406", "69.230769"));
    // the fourth roots of 1.632653, 1.573604 and 1.692308
    assert_eq!(made(Operation::Cagr, &years), triple("13.037743", "12.001507", "14.056445"));
    let flow = |flow: Flow, operand: DerivedOperand| {
        let context =
            Context { flow: Some(flow), scope: Some(Scope::GoodsAndServices), ..operand.context.clone() };
        DerivedOperand { context, ..operand }
    };
    let trade = [
        flow(Flow::Export, shown("exports", "95", "100", "105", Some("101"))),
        flow(Flow::Import, shown("imports", "115", "120", "125", Some("118"))),
    ];
    assert_eq!(made(Operation::Balance, &trade), triple("-17", "-17", "-17"), "by the precise values");
    let product = |code: &str, operand: DerivedOperand| {
        let context = Context { product: Some(code.into()), ..operand.context.clone() };
        DerivedOperand { context, ..operand }
    };
    let parts = [product("0901", exact("coffee", "30")), product("0902", exact("tea", "120"))];
    assert_eq!(made(Operation::Sum, &parts), triple("150", "150", "150"));
    assert_eq!(made(Operation::Difference, &parts), triple("-90", "-90", "-90"));
    assert_eq!(made(Operation::Ratio, &parts), triple("0.25", "0.25", "0.25"));
    assert_eq!(made(Operation::Share, &parts), triple("25", "25", "25"));
    assert_eq!(made(Operation::Value, &parts[..1]), triple("30", "30", "30"));
}

#[test]
fn a_result_is_as_narrow_as_what_is_known_of_its_values_allows() {
    let product = |code: &str, operand: DerivedOperand| {
        let context = Context { product: Some(code.into()), ..operand.context.clone() };
        DerivedOperand { context, ..operand }
    };
    let of = |part: Option<&str>, whole: Option<&str>| {
        [
            product("0902", shown("tea", "1.385", "1.39", "1.395", part)),
            product("all", shown("all", "15.5", "16", "16.5", whole)),
        ]
    };
    let share = |part, whole| made(Operation::Share, &of(part, whole));
    // of displays alone: 1.385 / 16.5 to 1.395 / 15.5
    assert_eq!(share(None, None), triple("8.6875", "8.393939", "9"));
    // one that is known keeps its display out of it
    assert_eq!(share(Some("1.3851"), None), triple("8.656875", "8.394545", "8.936129"));
    assert_eq!(share(None, Some("16.2")), triple("8.580247", "8.549383", "8.611111"));
    assert_eq!(share(Some("1.3851"), Some("16.2")), triple("8.55", "8.55", "8.55"));
    // and so on along several steps
    let share = number(Operation::Share, &of(Some("1.3851"), Some("16.2")));
    assert_eq!((share.precise, share.interval.is_point()), (Some(decimal("8.55")), true));
    assert_eq!(number(Operation::Share, &of(Some("1.3851"), None)).precise, None);
}

#[test]
fn units_follow_from_the_operation() {
    let years = |unit, first: &str, last: &str| {
        [
            in_unit(unit, of_year(exact("first", first), 2014)),
            in_unit(unit, of_year(exact("last", last), 2024)),
        ]
    };
    let share = number(Operation::Change, &years(Unit::Percent, "1.5", "1.25"));
    assert_eq!((share.number, share.unit), (decimal("-0.25"), Unit::PercentagePoints));
    // a rank that falls is a place gained
    let rank = number(Operation::Change, &years(Unit::Rank, "50", "45"));
    assert_eq!((rank.number, rank.unit), (decimal("5"), Unit::Positions));
    assert_eq!(format(rank.number, Derived::rule(rank.unit)).unwrap(), "↑5");
    assert_eq!(number(Operation::Cagr, &years(Unit::Usd, "1", "2")).unit, Unit::Percent);
    let context = Operation::Growth.apply(&years(Unit::Usd, "1", "2")).unwrap().context;
    assert_eq!(context.period, Some(Period { start: 2014, end: 2024 }));
    assert_eq!(context.statistic, Some(Statistic::TotalGrowth));
}

fn of_country(
    label: &str,
    country: &str,
    low: &str,
    number: &str,
    high: &str,
    precise: Option<&str>,
) -> DerivedOperand {
    let mut operand = shown(label, low, number, high, precise);
    operand.context.country = Some(country.into());
    operand
}

#[test]
fn what_rounding_leaves_open_is_decided_by_the_precise_values_or_not_at_all() {
    let open = |precise: [Option<&str>; 2]| {
        [
            of_country("Netherlands", "528", "6.95", "7.0", "7.05", precise[0]),
            of_country("Sweden", "752", "7.0", "7.0", "7.05", precise[1]),
        ]
    };
    let decided = Operation::Largest.apply(&open([Some("7.01"), Some("7.02")])).unwrap();
    assert_eq!(decided.result, DerivedValue::Which("Sweden".into()));
    assert!(decided.undecided_at_displayed_precision);
    // one that is known may be enough
    let decided = Operation::Largest.apply(&open([None, Some("7.05")])).unwrap_err();
    assert!(decided.to_string().starts_with("undecided"), "it may be 7.05 too: {decided}");
    let decided = Operation::Largest.apply(&open([Some("6.95"), None])).unwrap();
    assert_eq!(decided.result, DerivedValue::Which("Sweden".into()));
    let left_open = Operation::Largest.apply(&open([None, Some("7.02")])).unwrap_err();
    assert!(left_open.to_string().starts_with("undecided_at_displayed_precision: "), "{left_open}");
    let equal = Operation::Largest.apply(&open([Some("7.02"), Some("7.02")])).unwrap_err();
    assert!(equal.to_string().contains("are equal"), "{equal}");
    let apart = [
        of_country("Netherlands", "528", "6.95", "7.0", "7.05", None),
        of_country("Sweden", "752", "3.95", "4.0", "4.05", None),
    ];
    let decided = Operation::Largest.apply(&apart).unwrap();
    assert_eq!(
        (decided.result, decided.undecided_at_displayed_precision),
        (DerivedValue::Which("Netherlands".into()), false)
    );
    assert_eq!(Operation::Smallest.apply(&apart).unwrap().result, DerivedValue::Which("Sweden".into()));
}

#[test]
fn places_are_counted_from_the_largest_and_places_of_a_ranking_from_the_first() {
    let all = |unit: Unit, own: &str, others: [&str; 2]| {
        let one = |label: &str, country: &str, value: &str| {
            in_unit(unit, of_country(label, country, value, value, value, Some(value)))
        };
        [one("Egypt", "818", own), one("Morocco", "504", others[0]), one("Jordan", "400", others[1])]
    };
    let place = |of: &[DerivedOperand]| Operation::Rank.apply(of).unwrap().result;
    assert_eq!(place(&all(Unit::Index, "0.5", ["0.7", "0.1"])), DerivedValue::Place(2, 3));
    assert_eq!(place(&all(Unit::Rank, "76", ["90", "40"])), DerivedValue::Place(2, 3));
    assert_eq!(place(&all(Unit::Rank, "30", ["90", "40"])), DerivedValue::Place(1, 3));
}

#[test]
fn whether_it_rose_is_a_word() {
    let years =
        |first: &str, last: &str| [of_year(exact("first", first), 2014), of_year(exact("last", last), 2024)];
    let word = |first: &str, last: &str| Operation::Direction.apply(&years(first, last)).unwrap().result;
    assert_eq!(word("1", "2"), DerivedValue::Word("grown"));
    assert_eq!(word("2", "1"), DerivedValue::Word("declined"));
}

#[test]
fn values_of_another_context_are_refused_by_the_part_that_differs() {
    let refused = |operation: Operation, of: [DerivedOperand; 2]| operation.apply(&of).unwrap_err();
    let with = |change: &dyn Fn(&mut Context), operand: DerivedOperand| {
        let mut operand = operand;
        change(&mut operand.context);
        operand
    };
    let years = || [of_year(exact("first", "1"), 2014), of_year(exact("last", "2"), 2024)];
    let [first, last] = years();
    let class = |class| move |context: &mut Context| context.classification = Some(class);
    let hs92 = with(&class(crate::value::Classification::Hs92), first);
    let sitc = with(&class(crate::value::Classification::Sitc), last);
    let refusal = refused(Operation::Growth, [hs92, sitc]);
    assert!(matches!(refusal, DeriveRefusal::Context(ContextPart::Classification, _)), "{refusal}");
    assert_eq!(refusal.to_string(), "the values differ in classification: first is of HS92, last is of SITC");
    let [first, last] = years();
    let refusal = refused(Operation::Change, [last, first]);
    assert!(
        matches!(refusal, DeriveRefusal::Context(ContextPart::Period, _)),
        "the years are turned round: {refusal}"
    );
    let [first, last] = years();
    let abroad = with(&|context| context.country = Some("231".into()), last);
    assert!(matches!(
        refused(Operation::Growth, [first, abroad]),
        DeriveRefusal::Context(ContextPart::Country, _)
    ));
    let scope = |scope, flow| {
        move |context: &mut Context| {
            context.scope = Some(scope);
            context.flow = Some(flow);
        }
    };
    let exports = with(&scope(Scope::GoodsAndServices, Flow::Export), exact("exports", "3"));
    let imports = with(&scope(Scope::Goods, Flow::Import), exact("imports", "2"));
    let refusal = refused(Operation::Balance, [exports, imports]);
    assert!(matches!(refusal, DeriveRefusal::Context(ContextPart::Scope, _)), "{refusal}");
    let zero = of_year(shown("first", "0", "0.4", "0.5", None), 2014);
    let refusal = refused(Operation::Growth, [zero, of_year(exact("last", "2"), 2024)]);
    assert_eq!(refusal.to_string(), "first may be zero");
    let units =
        [of_year(exact("first", "1"), 2014), in_unit(Unit::Percent, of_year(exact("last", "2"), 2024))];
    assert_eq!(refused(Operation::Change, units).to_string(), "the values are not of one unit");
}

#[test]
fn the_trade_of_two_countries_with_each_other_balances() {
    let side = |country: &str, partner: &str, number: &str| {
        let mut operand = exact(country, number);
        operand.context.country = Some(country.into());
        operand.context.partner = Some(partner.into());
        operand
    };
    let made = Operation::Balance.apply(&[side("276", "840", "164"), side("840", "276", "76")]).unwrap();
    assert!(matches!(made.result, DerivedValue::Number(number) if number.number == decimal("88")));
    assert!(Operation::Balance.apply(&[side("276", "840", "164"), side("156", "276", "76")]).is_err());
}
