// What a failed container has written last is its app's, and may be a secret: no word of it leaves its site.

/**
 * Knative quotes it after these words (serving: pkg/apis/serving/v1/revision_helpers.go).
 */
const OUTPUT = /container failed with:[\s\S]*/i;

/** The message without it. */
export function withoutOutput(message: string): string {
  return message.replace(OUTPUT, 'the container failed.');
}
