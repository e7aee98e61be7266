// The proxy through which a site reaches its hub. It is a Secret of the site, which no hub sees.

/** In the namespace of the add-on, where our agent finds it. */
export const PROXY_SECRET = 'cappstan-proxy';

/** Its keys: the address with user and password, and the authority of the proxy's certificate (PEM). */
export const PROXY_URL = 'url';
export const PROXY_CA = 'ca.crt';
