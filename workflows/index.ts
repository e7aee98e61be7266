// The workflows that the hub worker runs.
export { capp } from './capp.ts';
export { drain } from './drain.ts';
export { plan } from './plan.ts';
export { score } from './score.ts';
export { site } from './site.ts';
