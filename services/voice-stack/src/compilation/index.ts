/** Compiling a configuration into a publication. */
export { compileConfiguration } from './compile-configuration';
