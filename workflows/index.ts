// The workflows that the hub worker runs.
export { capp } from './capp.ts';
export { score } from './score.ts';
export { site } from './site.ts';
