/** Parses the HTML of a clipboard. Nothing in the document runs or is loaded; it is only read, node by node. */
export const documentOf = (html: string): Document =>
  new DOMParser().parseFromString(policy ? (policy.createHTML(html) as unknown as string) : tamed(html), 'text/html')

interface Policy {
  createHTML(html: string): object
}

const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): Policy } }
const policy = trustedTypes?.createPolicy('console', { createHTML: tamed })

/** Takes away what the policy of the page would report: styles are read as text, and scripts not at all. */
function tamed(html: string): string {
  return html
    .replace(/<(style|script|template|noscript)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, tag => tag.replace(/\s(style|on\w+)\s*=/gi, ' data-$1='))
}
