/** The version that the server puts before service.js. */
declare const RELEASE: string;
