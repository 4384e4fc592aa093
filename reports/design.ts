/** A colour on light and on dark ground, as `#rrggbb`. */
type Colour = readonly [light: string, dark: string];

/**
 * The colours of every page that is written for people. Whatever is written in one of {@link TEXT} can be read on each of
 * {@link GROUNDS}; design.test.ts measures it.
 */
export const PALETTE = {
  /** Behind everything, behind what stands together, and behind code and buttons. */
  ground: ['#f6f7f9', '#0e1116'],
  panel: ['#ffffff', '#161b22'],
  soft: ['#eef1f4', '#20262f'],
  /** Text, and text that matters less. */
  ink: ['#1b2027', '#e6ebf1'],
  dim: ['#535c68', '#a6b0bb'],
  /** Between things, and around what can be typed into or pressed. */
  line: ['#d7dce2', '#333b45'],
  edge: ['#7f8894', '#727d8a'],
  /** Links, the focus, and what is open now. */
  link: ['#0a509e', '#82bbff'],
  /** What a touchstone is for: the streak on it. Never text. */
  streak: ['#e2a93b', '#b7791a'],
  good: ['#14692f', '#5bd17b'],
  bad: ['#b3151f', '#ff8f87'],
  odd: ['#7a4b00', '#e3b455'],
  /** Behind what is open now, what came or is right, what went or is wrong, and what is to be noticed. */
  linkGround: ['#e4eefa', '#17304c'],
  goodGround: ['#e0f4e5', '#12331d'],
  badGround: ['#fdeaea', '#431a1c'],
  oddGround: ['#faf0dc', '#362a10'],
  /** Hues that tell people apart, whose names stand beside them. */
  hue0: ['#0a509e', '#82bbff'],
  hue1: ['#8f3600', '#ffab66'],
  hue2: ['#14692f', '#7ee787'],
  hue3: ['#6d3fc4', '#d2aeff'],
  hue4: ['#a0111f', '#ffa5a0'],
  hue5: ['#17626a', '#7ae0e8'],
} as const satisfies Record<string, Colour>;

type Name = keyof typeof PALETTE;

/** On what text stands, in which colours, and which colours have a ground of their own. */
export const GROUNDS: readonly Name[] = ['ground', 'panel', 'soft'];
export const TEXT: readonly Name[] = [
  ...(['ink', 'dim', 'link', 'good', 'bad', 'odd'] as const),
  ...(['hue0', 'hue1', 'hue2', 'hue3', 'hue4', 'hue5'] as const),
];
export const OWN_GROUNDS: readonly (readonly [text: Name, ground: Name])[] = [
  ...(['linkGround', 'goodGround', 'badGround', 'oddGround'] as const).flatMap((ground) => [
    ['ink', ground] as const,
    ['dim', ground] as const,
  ]),
  ['link', 'linkGround'],
  ['good', 'goodGround'],
  ['bad', 'badGround'],
  ['odd', 'oddGround'],
];

const propertyOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const properties = (which: 0 | 1): string =>
  Object.entries(PALETTE)
    .map(([name, colours]) => `${propertyOf(name)}: ${colours[which]};`)
    .join(' ');

/**
 * What all pages share: colours, type, the focus, controls, code, tables and folds. A page adds only what it alone has.
 * On paper everything is light.
 */
export const DESIGN = `
:root { color-scheme: light dark; ${properties(0)} --text: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media screen and (prefers-color-scheme: dark) { :root { ${properties(1)} } }
@media print { :root { color-scheme: light; } }
*, ::before, ::after { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; font: 15px/1.5 var(--text); overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1.1rem; margin: .6rem 0 .3rem; }
h4 { font-size: .95rem; margin: 0 0 .5rem; }
p { margin: .4rem 0; }
ul, ol { margin: .3rem 0; padding-left: 1.4rem; }
a { color: var(--link); text-underline-offset: .15em; }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0; color: var(--dim); font-size: .85rem; font-weight: 600; letter-spacing: .02em; }
.brand::before { content: ''; flex: none; width: .8rem; height: .8rem; border-radius: .2rem; background: linear-gradient(115deg, var(--ink) 40%, var(--streak) 40% 60%, var(--ink) 60%); }
.dim { color: var(--dim); font-size: .88em; }
.good { color: var(--good); } .bad { color: var(--bad); } .odd { color: var(--odd); }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; min-width: 0; }
.notice { border-left: .25rem solid var(--odd); border-radius: .3rem; background: var(--odd-ground); padding: .4rem .8rem; }
code, pre, kbd, textarea { font: 13px/1.5 var(--mono); }
code { overflow-wrap: anywhere; }
pre { margin: .4rem 0; padding: .6rem .7rem; background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; white-space: pre-wrap; overflow-wrap: anywhere; overflow-x: auto; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: .3rem; padding: 0 .3rem; background: var(--soft); }
button, .button { font: inherit; font-size: .93em; line-height: 1.5; color: var(--ink); background: var(--soft); border: 1px solid var(--edge); border-radius: .4rem; padding: .2rem .7rem; min-height: 1.9rem; cursor: pointer; }
button:hover:not(:disabled), .button:hover { border-color: var(--link); color: var(--link); }
button:disabled { color: var(--dim); border-color: var(--line); background: none; cursor: default; }
input, select, textarea { font: 13px/1.5 var(--mono); color: var(--ink); background: var(--panel); border: 1px solid var(--edge); border-radius: .4rem; padding: .25rem .5rem; }
input[type=search] { font: inherit; }
input:is([type=checkbox], [type=range]) { accent-color: var(--link); padding: 0; }
::placeholder { color: var(--dim); opacity: 1; }
:focus-visible, .button:focus-within { outline: 2px solid var(--link); outline-offset: 2px; border-radius: .3rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--dim); }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { color: var(--dim); font-size: .85em; font-weight: 600; }
td { overflow-wrap: anywhere; }
.table { overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: .6rem; }
.table :is(th, td):first-child { padding-left: 1rem; } .table :is(th, td):last-child { padding-right: 1rem; }
summary { cursor: pointer; overflow-wrap: anywhere; border-radius: .3rem; }
summary::marker { color: var(--dim); }
summary:hover { color: var(--link); }
mark { background: none; color: inherit; }
.unseen { position: absolute; width: 1px; height: 1px; opacity: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
@media (prefers-reduced-motion: no-preference) { button, .button, summary { transition: color .12s, border-color .12s; } }
`;
