const colours = ['#3274d9', '#56a64b', '#e02f44', '#ff9830', '#8f3bb8', '#00a3a3', '#b8860b', '#555', '#f06', '#0a0']
const escaped = text => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
const [width, height] = [380, 130]

/** A page with a chart for each panel, as Grafana would draw them. */
export function drawn(charts) {
  return `<!doctype html><meta charset="utf-8"><title>Dashboard</title><style>
body { font: 12px sans-serif; display: grid; grid-template-columns: repeat(3, 400px); gap: 12px; margin: 16px }
figure { margin: 0; border: 1px solid #ddd; padding: 8px } figcaption { font-weight: bold } svg { background: #fafafa }
small { display: block; color: #555; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
</style>${charts.map(chart).join('\n')}`
}

function chart({ title, unit = '', series }) {
  const points = series.flatMap(({ values }) => values)
  const times = points.map(([time]) => time)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const most = Math.max(...points.map(([, value]) => value), 1e-9)
  const at = ([time, value]) =>
    `${(((time - first) / (last - first || 1)) * width).toFixed(1)},${(height - (value / most) * (height - 10)).toFixed(1)}`
  const lines = series.map(
    ({ values }, index) =>
      `<polyline fill="none" stroke="${colours[index % colours.length]}" points="${values.map(at).join(' ')}"/>`,
  )
  const names = series.map(
    ({ name, values }, index) =>
      `<small style="color:${colours[index % colours.length]}">${escaped(name)}: ${values.at(-1)?.[1].toPrecision(3) ?? 'nothing'}</small>`,
  )
  return `<figure><figcaption>${escaped(title)} <small>up to ${most.toPrecision(3)} ${unit}</small></figcaption><svg width="${width}" height="${height}">${lines.join('')}</svg>${names.slice(0, 10).join('')}</figure>`
}
