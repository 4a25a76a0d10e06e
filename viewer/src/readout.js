// What there is to say about one point.

const MOST = 5; // probabilities that are listed

export function describe(scene, cloud, index, fold) {
  const { color, label, truth, confidence, probabilities } = cloud.arrays;
  const named = (array) => array && (scene.classes[array.values[index]]?.name ?? "none");
  const facts = {
    name: cloud.name,
    row: cloud.row(index),
    position: cloud.position(index, fold),
    resolution: cloud.resolution,
    label: named(label),
    truth: named(truth),
    confidence: confidence ? confidence.values[index] / 255 : undefined,
    color: color ? [...color.values.subarray(3 * index, 3 * index + 3)] : undefined,
    scalars: Object.fromEntries(
      Object.entries(cloud.scalars).map(([name, { values, low, high }]) => [name, low + (values[index] / 65535) * (high - low)]),
    ),
  };
  if (probabilities) {
    const { width, values } = probabilities;
    facts.probabilities = scene.classes
      .map(({ name }, k) => ({ name, share: values[width * index + k] / 255 }))
      .sort((a, b) => b.share - a.share)
      .slice(0, MOST);
  }
  return facts;
}
