# Tests with the tag `program` run the program that MIRROR_PROGRAM names. Its settings, such as MIRROR_PUBLIC, apply.
program = System.get_env("MIRROR_PROGRAM", "")

if program == "" do
  IO.puts("MIRROR_PROGRAM does not name the program, so the tests that run it are excluded")
end

ExUnit.start(exclude: if(program == "", do: [:program], else: []), capture_log: true)
