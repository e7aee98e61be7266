// The pictures of the dashboard in the docs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '..', '..', '..', 'docs');
const PICTURES = join(DOCS, 'pictures');

const page = readFileSync(join(DOCS, 'dashboard.md'), 'utf8');

describe.each(readdirSync(PICTURES))('the picture %s', (name) => {
  const svg = readFileSync(join(PICTURES, name), 'utf8');

  it('stands on the page of the dashboard, with words for who does not see it', () => {
    expect(page).toMatch(new RegExp(`!\\[[^\\]]{10,}\\]\\(pictures/${name}\\)`));
    expect(svg).toMatch(/<title>[^<]{10,}<\/title>/);
  });

  it('fetches nothing and runs nothing', () => {
    const links = [...svg.matchAll(/\b(?:src|href)="([^"]*)"|url\(([^)]*)\)/g)];
    const elsewhere = links
      .map(([, link, url]) => link ?? url ?? '')
      .filter((to) => !/^(?:#|data:)/.test(to));
    expect(elsewhere).toEqual([]);
    // Texts of sites may say so: they are texts.
    expect(svg).not.toMatch(/<script|<[^>]*\son\w+=/);
  });

  it('is light or dark as its reader has it', () => {
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
  });

  it('shows what the hub has answered, and no address of the machine on which it was drawn', () => {
    expect(svg).not.toContain('Asking the hub');
    expect(svg).not.toMatch(/127\.0\.0\.1:\d|\/(?:tmp|root|home)\//);
  });
});
