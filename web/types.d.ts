/**
 * Shapes of the JSON that the page gets from the core: the view model (src/view/view_model.hpp), the field
 * table (src/plan/fields.hpp) and the catalogue. Types only; nothing of this file is shipped.
 */
export interface VerdictView {
  state: string; role: string; sentence: string; needed: string; usable: string; left: string; left_label: string;
  interval: string; interval_basis: string; interval_kind: string; peak: string;
}
export interface GaugeView {
  needed: number; low: number; high: number; usable: number; baseline: number;
  baseline_label: string; baseline_text: string; description: string;
}
export interface PairSideView { label: string; state: string; role: string; needed: string; sentence: string }
export interface LargestView { field: string; value: string; state: string; sentence: string }
export interface NumberView { key: string; label: string; text: string; exact: string }
export interface BarView { category: string; label: string; text: string; share_text: string; fraction: number }
export interface RowView {
  key: string; title: string; text: string; share_text: string; formula: string; numbers: string; bytes_text: string;
  because: string; source: string; source_url: string; confidence: string; live: string; field: string; fraction: number;
}
export interface GroupView extends BarView { rows: RowView[] }
export interface InstantView {
  label: string; segment: string; step: string; operator_name: string; text: string; fraction: number; by_category: number[];
}
export interface TimelineView {
  capacity: string; capacity_fraction: number; instants: InstantView[]; categories: string[]; category_labels: string[];
  worst: number; description: string;
  is_part?: boolean;  // worst is only the highest of a part
}
/** A part of every instant of a step. */
export interface WindowView { count: number; first: number; peak: number; timeline: TimelineView }
export interface MomentView { label: string; text: string; rows: RowView[]; bar: BarView[] }
export interface TensorView { name: string; shape: string; copies: string; text: string; share_text: string }
export interface ParametersView {
  total: string; active: string; exact: string; trainable: string;
  groups: { label: string; text: string; share_text: string; fraction: number;
            tensors: TensorView[] }[];
}
export interface FormFieldView { key: string; value: string; is_default: boolean; note: string; error: string }
export interface ViewModel {
  version: string; title: string; verdict: VerdictView; gauge: GaugeView; multiple: { value: string; sentence: string };
  pair: { run: PairSideView; train: PairSideView }; largest: LargestView; numbers: NumberView[]; bar: BarView[];
  bar_description: string; groups: GroupView[]; timeline: TimelineView; parameters: ParametersView;
  throughput: { rate: string; time: string; cost: string; sentence: string; confidence: string };
  form: FormFieldView[]; notes: { where: string; message: string }[];
  assumptions: { label: string; text: string; field: string }[]; share: string;
}

/** One method of a comparison (src/search/comparison.hpp); what it costs is missing where it is refused, `largest` where nothing fits. */
export interface ComparedMethod {
  method: string; label: string; meaning: string; state: string; sentence: string; last_layers?: number;
  needed_bytes?: number;
  all_parameters?: number; trained_parameters?: number; layer_parameters?: number; trained_layer_parameters?: number;
  kept_bytes?: number; checkpoint_bytes?: number; added_operators?: number; largest?: number; cheapest?: string;
  needed?: string; fraction?: number; parts?: { category: string; label: string; bytes: number; text: string; fraction: number }[];
  cells?: { text: string; detail: string }[];  // parallel to the columns
}
export interface Comparison {
  schema: number; version: string; questions_title: string; questions: string[]; layers: number;
  usable?: string; usable_fraction?: number; columns: string[]; methods: ComparedMethod[];
}

/** Scenarios side by side (src/export/lineup.hpp); what a refused one needs is missing. */
export interface LineupEntry {
  title: string; state: string; sentence: string; needed_bytes?: number; needed?: string; fraction?: number;
  usable?: string; usable_fraction?: number; parts?: { category: string; label: string; bytes: number; text: string; fraction: number }[];
}
export interface Lineup {
  schema: number; version: string; entries: LineupEntry[]; rows: { label: string; values: string[]; more: string[] }[];
}

/** The caching allocator, simulated (src/export/json_allocator.hpp): first what the estimate reserves. */
export interface AllocatorRuns {
  schema: number; version: string; allocated_bytes: number; reserved_bytes: number; text: string; over: string; requests: number;
  /** What happens beside the steps and is not replayed: "loading, evaluation". */
  left_out: string;
  runs: { policy: string; allocated_bytes: number; reserved_bytes: number; text: string; over: string; segments: number }[];
}

/** A row of the field table. `kind` and `group` are lower-case words. */
export interface FieldRow {
  key: string; flag: string; alias: string; group: string; group_label: string; kind: string; label: string; unit: string; help: string;
  solvable: boolean; minimum: number; maximum: number; step: number; choices: string[]; choice_labels: string[]; computed_choices: string[];
  default: string; computed: boolean; later: string; stepper?: boolean; required?: boolean;
}
/** What a list of the catalogue shows: the name to choose by, what it is, how large it is. */
export interface CatalogueRow {
  name: string; detail: string; size: string;
  trust?: string; total_only?: boolean;  // models
  usable_trust?: string; recalled?: boolean;  // accelerators
  use?: string;  // formats, optimizers, methods: words of fields that choose it; empty: not computed yet
}
/** What can be sent to the canvas (canvas-message.mjs). */
export type Sendable = string | number | boolean | Sendable[] | { [name: string]: Sendable };
