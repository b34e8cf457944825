/** What the server puts before service.js: the version, and its files by their addresses, relative to the page. */
declare const RELEASE: { version: string; files: string[] };
