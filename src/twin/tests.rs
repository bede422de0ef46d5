//! Everything that is known of the site, asked of the twin over HTTP.
