print("liveview-mirror")
