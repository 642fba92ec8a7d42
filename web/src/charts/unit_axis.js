/**
 * Days by demand, in units: the axis of bars, labelled as densely as there is room.
 * @param {number} count of bars
 * @param {{width: number, is_bottom: boolean}} panel
 * @returns {Object} an encoding of Vega-Lite
 */
export function unit_axis(count, { width, is_bottom }) {
  const step = Math.max(1, Math.ceil((26 * count) / width));
  return {
    field: "units",
    type: "ordinal",
    scale: { paddingInner: 0.2 },
    axis: {
      title: is_bottom ? "demand, units per day" : null,
      labelAngle: 0,
      ticks: false,
      labelExpr: `datum.value % ${step} == 0 ? datum.label : ''`,
    },
  };
}
