// The library's KubeConfig in tests, where module hooks may not be registered: the same one, models and all.
export { KubeConfig } from '@kubernetes/client-node';
