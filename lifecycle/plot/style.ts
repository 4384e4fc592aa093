/** Colors for light and dark ground. Deprecation is told by a pattern, and roles by letters: never by color alone. */
export const STYLE = `
svg { --ground: #ffffff; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de; --served: #2f6f9f; --aging: #efe3c8; --aging-line: #8a6116; --badge: #ffffff; --badge-ink: #1b1f24; --bad: #c62828; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #14171b; --ink: #e8ebef; --faint: #a3adb8; --line: #343b43; --served: #4c93c7; --aging: #3a3016; --aging-line: #d3a647; --badge: #0f1216; --badge-ink: #f2f4f7; --bad: #ff7b72; }
}
text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 13px; fill: var(--ink); }
.ground { fill: var(--ground); }
.title { font-size: 18px; font-weight: 600; }
.release { font-weight: 600; text-anchor: middle; }
.date { font-size: 11px; text-anchor: middle; fill: var(--faint); }
.group { font-size: 14px; font-weight: 600; }
.version { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; text-anchor: end; }
.grid, .rule { stroke: var(--line); stroke-width: 1; }
.served { fill: var(--served); }
.deprecated { fill: url(#hatch); stroke: var(--aging-line); stroke-width: 1; }
.deprecated-ground { fill: var(--aging); }
.deprecated-line { fill: var(--aging-line); opacity: 0.55; }
.badge circle, .badge rect { fill: var(--badge); stroke: var(--badge-ink); stroke-width: 1.5; }
.badge text { font-size: 11px; font-weight: 700; text-anchor: middle; fill: var(--badge-ink); }
.finding rect { fill: none; stroke: var(--bad); stroke-width: 3; }
.finding circle { fill: var(--bad); }
.finding text { font-size: 13px; font-weight: 800; text-anchor: middle; fill: var(--ground); }
`;
