import type { UseFormReturnType } from '@mantine/form';
import type { MonitorForm } from './form-values.ts';

/** What every group of fields gets. */
export interface FieldsProps {
  form: UseFormReturnType<MonitorForm>;
}
