// When the kinds of Gateway API are ready. A controller says so of a Gateway by conditions, and of a route
// for each Gateway that it comes to. Pure.
import { has, IS_NOW, NOT_BEHIND } from './cel.ts';
import type { KindRule } from './kind-rule.ts';

const OLD = `type(object.?status.?conditions.orValue([])) == list && object.?status.?conditions.orValue([]).exists(c, type(c) == map && !${IS_NOW})`;

/** A new Gateway has these as Unknown, until a controller has taken it. */
const GATEWAY: KindRule = {
  ready: `${NOT_BEHIND} && !(${OLD}) && !${has(
    ['Accepted', 'False'],
    ['Accepted', 'Unknown'],
    ['Programmed', 'False'],
    ['Programmed', 'Unknown'],
    ['Ready', 'False'],
  )}`,
  waits: [
    ['Accepted', 'False'],
    ['Programmed', 'False'],
    ['Ready', 'False'],
    ['Accepted', 'Unknown'],
    ['Programmed', 'Unknown'],
  ],
};

const PARENTS = `(type(object.?status.?parents.orValue([])) == list ? object.?status.?parents.orValue([]) : [])`;

/** The conditions of the parent `p` for which this holds, and that are of the present generation. */
const ofParent = (isSo: string): string =>
  `p.?conditions.orValue([]).filter(c, c.?status.orValue('') == ${isSo} && ${IS_NOW})`;
const ACCEPTED = ofParent(`'True' && c.?type.orValue('') == 'Accepted'`);
const REFUSED = ofParent(`'False' && c.?type.orValue('') in ['Accepted', 'ResolvedRefs']`);
const IS_ACCEPTED = `${PARENTS}.exists(p, size(${ACCEPTED}) > 0)`;
const REFUSING = `${PARENTS}.filter(p, size(${REFUSED}) > 0)`;

/** What is left there of former Gateways is of a former generation, and says nothing. */
const ROUTE: KindRule = {
  ready: `${IS_ACCEPTED} && size(${REFUSING}) == 0`,
  waitsBy: `${REFUSING}.map(p, ${REFUSED}[0])`,
  waitsWhen: [
    `!${IS_ACCEPTED}`,
    'no Gateway has accepted it. Correct spec.parentRefs, or ship that Gateway, or write a rule for it in spec.ready',
  ],
};

const ROUTES = ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'] as const;

/** By kind. */
export const OF_GATEWAYS: Readonly<Record<string, KindRule>> = {
  Gateway: GATEWAY,
  GatewayClass: GATEWAY,
  ...Object.fromEntries(ROUTES.map((kind) => [kind, ROUTE])),
};
