/** The version in the user agent; a test keeps it equal to package.json. */
export const VERSION = '1.0.0';
