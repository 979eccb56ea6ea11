/** The version that the user agent tells; a test keeps it equal to package.json. */
export const VERSION = '1.0.0';
