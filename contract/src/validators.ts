/** Validators of every body and parameter, compiled ahead from the schemas. */
export * from '../../generated/validators.js';
