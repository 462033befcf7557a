import { addressOfSection } from '../shell/routes.js'
import type { Section } from '../shell/sections.js'
import { t } from '../text.js'

/** The way from a part of a section to its list. */
export const BackTo = ({ section }: { section: Section }) => (
  <a class="back" href={addressOfSection(section)}>
    ← {t(`settings.${section}`)}
  </a>
)
