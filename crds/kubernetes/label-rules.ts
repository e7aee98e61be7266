// What Kubernetes takes as keys and values of labels, as rules in CEL: for objects of ours from which labels
// of others are made, so that nobody learns later that they cannot be written.
//
// https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
import { rules } from '../definitions/rules.ts';

const WORD = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const NAME = '[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
/** Of what stands before the slash. */
const LONGEST_PREFIX = 253;

/** For `meta` of a record by key. */
export const LABEL_KEYS = rules([
  `self.all(key, key.indexOf('/') <= ${LONGEST_PREFIX} && key.matches('^(${WORD}([.]${WORD})*/)?${NAME}$'))`,
  'each key must be that of a label: up to 63 letters, digits, - _ and ., with a letter or digit at both ends, such as region; before it may stand a DNS name with /, such as shops.example.com/tier',
]);

/**
 * Of a selector of hosts or nodes: the schema bounds the length of a list, and of a map only what it says.
 */
export const MOST_LABELS_ASKED = 20;

/** For `meta` of a record by key. */
export const FEW_LABELS = rules([
  `self.size() <= ${MOST_LABELS_ASKED}`,
  `must name ${MOST_LABELS_ASKED} labels at most: where more belong together, give them one label that says so, such as flavor: worker`,
]);

/** For `meta` of each value. */
export const LABEL_VALUE = rules([
  "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')",
  'must be the value of a label: up to 63 letters, digits, - _ and ., with a letter or digit at both ends, such as eu-west',
]);
