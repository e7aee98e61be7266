import { diagnose } from '../../../deploy/local/programs/go.ts';

describe('the error message when go fails', () => {
  it.each([
    ['go is not there', [], 'spawn go ENOENT', /not on the PATH\. Install Go/],
    [
      'go is too old',
      ['go: go.mod requires go >= 1.26.4 (running go 1.22.2; GOTOOLCHAIN=local)'],
      1,
      /too old .*requires go >= 1\.26\.4/,
    ],
    [
      'there is no network',
      ['example.com/x@v1: Get "https://p/x": dial tcp: lookup p: no such host'],
      1,
      /download failed .*no such host/,
    ],
    [
      'the proxy does not have it',
      ['example.com/x@v1: reading https://p/x/@v/v1.zip: 404 Not Found'],
      1,
      /download failed .*404/,
    ],
    ['a checksum is wrong', ['verifying example.com/x@v1: checksum mismatch'], 1, /pinned checksum/],
    ['the disk is full', ['write /tmp/a.o: no space left on device'], 1, /disk is full/],
    ['the compiler is killed', ['example.com/x: /usr/lib/go/compile: signal: killed'], 1, /memory/],
  ])('names the problem when %s', (_case, lines, end, sentence) => {
    expect(diagnose(lines, end)).toMatch(sentence);
  });

  it('quotes go when the problem is another one', () => {
    expect(diagnose(['# example.com/x', 'main.go:3:2: undefined: y'], 1)).toContain(
      'main.go:3:2: undefined: y',
    );
  });
});
