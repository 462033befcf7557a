import type { PageMeta, TitledMeta } from '../../model/extensions.js'
import { View } from '../shell/view.js'
import { t } from '../text.js'
import { titleOf, viewContext } from './context.js'
import { Mount } from './mount.js'

/** A view of a plugin. */
export function ExtensionPage({ page }: { page: PageMeta }) {
  return (
    <View title={titleOf(page)}>
      <Part extension={page} />
    </View>
  )
}

/** The parts of the start page that plugins add. */
export function Widgets({ widgets }: { widgets: readonly TitledMeta[] }) {
  return (
    <div class="home-lists">
      {widgets.map(widget => (
        <section key={widget.module} class="home-list" aria-label={titleOf(widget)}>
          <h2>{titleOf(widget)}</h2>
          <Part extension={widget} />
        </section>
      ))}
    </div>
  )
}

const nothing = {}

const Part = ({ extension }: { extension: TitledMeta }) => (
  <Mount
    class="extension-part"
    extension={extension}
    state={nothing}
    given={viewContext}
    otherwise={reason => (
      <p class="problem" role="status">
        {t('extension.partFailed', { name: extension.name, reason })}
      </p>
    )}
  />
)
