"""Regular expressions whose time is linear in the text: RE2 syntax that is also valid ECMAScript with the u flag."""
