export function Home() {
  return <h1>Мои курсы</h1>;
}
