// Names and ports that several files of the data plane share.
export const KOURIER_NAMESPACE = 'kourier-system';
/** Kourier's controller tells Envoy its routes there. */
export const XDS_PORT = 18_000;
/** Knative's webhook, in its sandbox. */
export const WEBHOOK_PORT = 8443;
/** Envoy, in its sandbox: for requests from outside, without and with TLS. */
export const HTTP_PORT = 8080;
export const HTTPS_PORT = 8443;
