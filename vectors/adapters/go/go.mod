module simhashdoc.example/adapter

go 1.21

require golang.org/x/text v0.21.0
