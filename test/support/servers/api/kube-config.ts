// The library's KubeConfig in tests, where module hooks may not be registered: the same one, and
// jest-preset.json puts `kube-config-needs.ts` in the place of the library's models.
export { KubeConfig } from '@kubernetes/client-node/dist/config.js';
