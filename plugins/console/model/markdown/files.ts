interface FileValues {
  readonly name?: unknown
  readonly url?: unknown
  readonly mime?: unknown
  readonly alternativeText?: unknown
}

/** Files as Markdown: pictures are shown, others linked. */
export const filesAsMarkdown = (files: readonly FileValues[]): string => files.map(asMarkdown).join('\n')

function asMarkdown({ name, url, mime, alternativeText }: FileValues): string {
  const isPicture = String(mime).startsWith('image/')
  const text = String((isPicture && alternativeText) || name || url).replaceAll(/[[\]\\]/g, sign => `\\${sign}`)
  const address = String(url).replaceAll(/[\s()<>]/g, sign =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  )
  return `${isPicture ? '!' : ''}[${text}](${address})`
}
